import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTwoFactor, turnOffTwoFactor } from '#contracts/agent/two-factor.ts';
import { call } from '../../api/call.ts';
import { sayDone } from '../../design/notices.ts';
import { AskPassword } from '../../editing/ask-password.tsx';

const devicesKey = ['two-factor'] as const;

/** For an agent who lost the device that shows the codes. */
export const LostDevice = ({ login }: { login: string }) => {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data: devices = [] } = useQuery({
    queryKey: devicesKey,
    queryFn: () => call(listTwoFactor, { query: {}, body: {} }),
  });
  if (!devices.some(({ agent_id, enabled }) => agent_id === login && enabled)) return null;
  const turnOff = async (password: string): Promise<void> => {
    await call(turnOffTwoFactor, { query: {}, body: { password, agent_id: login } });
    await client.invalidateQueries({ queryKey: devicesKey });
    sayDone('No code is asked for any more.');
  };
  return (
    <section style={{ marginTop: '2rem' }}>
      <Text size="sm" fw={600}>
        Two-factor sign-in is on
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        Whoever lost the device gets in again when it is switched off.
      </Text>
      {isAsking ? (
        <AskPassword label="Switch it off" onPassword={turnOff} onCancel={() => setAsking(false)} />
      ) : (
        <Button variant="default" onClick={() => setAsking(true)}>
          Switch it off
        </Button>
      )}
    </section>
  );
};
