import { Button, Group, Modal, Text } from '@mantine/core';
import { useAction } from '../../design/use-action.ts';
import { t } from './t.ts';

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
    <Modal opened={opened} onClose={onClose} title={t('endThisChat')} centered>
      <Text size="sm">{t('theChatMovesToArchives')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button loading={closing.isPending} onClick={() => closing.mutate()} data-autofocus>
          {t('endChat')}
        </Button>
      </Group>
    </Modal>
  );
};
