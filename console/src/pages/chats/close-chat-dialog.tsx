import { Button, Group, Modal, Text } from '@mantine/core';
import { useAction } from './actions.ts';

interface CloseChatDialogProps {
  opened: boolean;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}

export const CloseChatDialog = ({ opened, onClose, onConfirm }: CloseChatDialogProps) => {
  const closing = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Close this chat?" centered>
      <Text size="sm">It moves to the archives. The customer can write again and begins a new one.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={closing.isPending} onClick={() => closing.mutate()} data-autofocus>
          Close the chat
        </Button>
      </Group>
    </Modal>
  );
};
