import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { replayWebhookDeliveries } from '#contracts/configuration/webhooks.ts';
import { call } from '../../../api/call.ts';
import { ErrorText, Form } from '../../../design/form.tsx';
import { notifySuccess } from '../../../design/notices.ts';
import { useSubmit } from '../../../editing/use-submit.ts';
import { t } from '../t.ts';

interface ReplayRangeProps {
  webhookId: string;
  onReplayed(): unknown;
}

/** Resends a time range to a receiver that was down. */
export const ReplayRange = ({ webhookId, onReplayed }: ReplayRangeProps) => {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { submit, isBusy, failure } = useSubmit(async () => {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const body = { webhook_id: webhookId, ...range };
    const { replayed } = await call(replayWebhookDeliveries, { body });
    notifySuccess(t('resending', { count: replayed }));
    await onReplayed();
  });
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Group align="flex-end" gap="sm" mb="md">
        <TextInput
          type="datetime-local"
          label={t('from')}
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('to')}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={from === '' || to === ''}>
          {t('resendThisRange')}
        </Button>
      </Group>
      <ErrorText role="alert" mb="sm">
        {failure}
      </ErrorText>
    </Form>
  );
};
