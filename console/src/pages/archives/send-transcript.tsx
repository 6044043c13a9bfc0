import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sendTranscript } from '#contracts/chat-ops/chats.ts';
import { callRest } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { sayDone } from '../../design/notices.ts';

/** The answer's words are for people. */
export const SendTranscript = ({ chatId }: { chatId: string }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [to, setTo] = useState('');
  const sending = useMutation({
    mutationFn: () => callRest(sendTranscript, { params: { chat_id: chatId }, body: { to: to.trim() } }),
    onSuccess: () => {
      sayDone(`The transcript is on its way to ${to.trim()}.`);
      close();
    },
    onError: () => {},
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Send transcript
      </Button>
      <Modal opened={isOpen} onClose={close} title="Send the transcript" closeButtonProps={{ 'aria-label': 'Close' }}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            sending.mutate();
          }}
        >
          <Stack gap="sm">
            <Text size="sm">What was said is mailed, without private notes.</Text>
            <TextInput
              type="email"
              label="E-mail address"
              required
              maxLength={254}
              data-autofocus
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
              error={sending.error ? describeError(sending.error) : undefined}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={sending.isPending}>
                Send
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
};
