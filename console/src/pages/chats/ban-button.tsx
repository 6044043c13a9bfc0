import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { banCustomer, unbanCustomer } from '#contracts/agent/customers.ts';
import { call } from '../../api/call.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { useAction } from '../../design/use-action.ts';
import { t } from './t.ts';

interface BanButtonProps {
  id: string;
  isBanned: boolean;
  onDone(): void;
}

const MAX_BAN_DAYS = 3650;

export const BanButton = ({ id, isBanned, onDone }: BanButtonProps) => {
  const [days, setDays] = useState(1);
  const ending = useAction(() => call(unbanCustomer, { body: { id } }).then(onDone));
  if (isBanned) {
    return (
      <Button variant="default" size="xs" loading={ending.isPending} onClick={() => ending.mutate()}>
        {t('liftBan')}
      </Button>
    );
  }
  return (
    <ConfirmButton
      size="xs"
      label={t('banCustomer')}
      question={t('banThisCustomer')}
      confirmLabel={t('ban')}
      onConfirm={async () => {
        await call(banCustomer, { body: { id, ban: { days } } });
        onDone();
      }}
    >
      {t('theyreDisconnectedAndCantMessage')}
      <NumberInput
        mt="sm"
        label={t('days')}
        min={1}
        max={MAX_BAN_DAYS}
        value={days}
        onChange={(value) => setDays(Math.min(MAX_BAN_DAYS, Math.max(1, Number(value) || 1)))}
      />
    </ConfirmButton>
  );
};
