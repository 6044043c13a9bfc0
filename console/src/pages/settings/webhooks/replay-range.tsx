import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { replayWebhookDeliveries } from '#contracts/configuration/webhooks.ts';
import { call } from '../../../api/call.ts';
import { notifySuccess } from '../../../design/notices.ts';
import { describeFormError } from '../../../editing/field-errors.ts';
import { t } from '../t.ts';

interface ReplayRangeProps {
  webhookId: string;
  onReplayed(): unknown;
}

/** Resends a time range to a receiver that was down. */
export const ReplayRange = ({ webhookId, onReplayed }: ReplayRangeProps) => {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const replay = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const { replayed } = await call(replayWebhookDeliveries, {
        query: {},
        body: { webhook_id: webhookId, ...range },
      });
      notifySuccess(t('resending', { count: replayed }));
      await onReplayed();
    } catch (error) {
      setFailure(describeFormError(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void replay();
      }}
    >
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
      {failure && (
        <Text size="sm" c="var(--danger)" role="alert" mb="sm">
          {failure}
        </Text>
      )}
    </form>
  );
};
