import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sendTranscript } from '#contracts/chat-ops/chats.ts';
import { callRest } from '../../api/call.ts';
import { describeError } from '../../api/errors.ts';
import { Form } from '../../design/form.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { t } from './t.ts';

export const SendTranscript = ({ chatId }: { chatId: string }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [to, setTo] = useState('');
  const sending = useMutation({
    mutationFn: () => callRest(sendTranscript, { params: { chat_id: chatId }, body: { to: to.trim() } }),
    onSuccess: () => {
      notifySuccess(t('transcriptSentToEmail', { email: to.trim() }));
      close();
    },
    onError: () => {},
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('sendTranscript')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('sendTranscript')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Form onSubmit={() => sending.mutate()}>
          <Stack gap="sm">
            <Text size="sm">{t('wellEmailTheConversationWithout')}</Text>
            <TextInput
              type="email"
              label={t('email')}
              required
              maxLength={254}
              data-autofocus
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
              error={sending.error ? describeError(sending.error) : undefined}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('cancel')}
              </Button>
              <Button type="submit" loading={sending.isPending}>
                {t('send')}
              </Button>
            </Group>
          </Stack>
        </Form>
      </Modal>
    </>
  );
};
