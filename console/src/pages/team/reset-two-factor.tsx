import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listTwoFactor, turnOffTwoFactor } from '#contracts/agent/two-factor.ts';
import { call } from '../../api/call.ts';
import { refetch } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { AskPassword } from '../../editing/ask-password.tsx';
import { t } from './t.ts';

const devicesKey = ['two-factor'] as const;

/** Turns off two-step verification for an agent who lost their device. */
export const ResetTwoFactor = ({ login }: { login: string }) => {
  const { two_factor } = useSession();
  const [isConfirming, setConfirming] = useState(false);
  const { data: devices = [] } = useQuery({
    queryKey: devicesKey,
    queryFn: () => call(listTwoFactor, { body: {} }),
  });
  if (!devices.some(({ agent_id, enabled }) => agent_id === login && enabled)) return null;
  const turnOff = async (password: string, code?: string): Promise<void> => {
    await call(turnOffTwoFactor, {
      body: { password, agent_id: login, ...(code === undefined ? {} : { code }) },
    });
    await refetch(devicesKey);
    notifySuccess(t('twoStepVerificationIsOff'));
  };
  return (
    <section style={{ marginTop: '2rem' }}>
      <Text size="sm" fw={600}>
        {t('twoStepVerificationIsOn')}
      </Text>
      <Dimmed size="xs" mb="xs">
        {t('turnItOffIfThe')}
      </Dimmed>
      {isConfirming ? (
        <AskPassword
          label={t('turnOff')}
          onPassword={turnOff}
          onCancel={() => setConfirming(false)}
          withCode={two_factor.enabled}
        />
      ) : (
        <Button variant="default" onClick={() => setConfirming(true)}>
          {t('turnOff')}
        </Button>
      )}
    </section>
  );
};
