import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { banCustomerAddress, listCustomerBans, unbanCustomer } from '#contracts/agent/customers.ts';
import type { AnswerOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { useAgentName } from '../../../api/people.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { sayDone } from '../../../design/notices.ts';
import { Empty, Loaded } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { explainFailure } from '../../../editing/faults.ts';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { SectionPage } from '../section.tsx';

type Ban = AnswerOf<typeof listCustomerBans>[number];

const bansKey = ['bans'] as const;

const nameOf = ({ customer_name, customer_id, ip }: Ban): string => customer_name || ip || customer_id || 'Somebody';

const BanAddress = () => {
  const client = useQueryClient();
  const [ip, setIp] = useState('');
  const [days, setDays] = useState<string | number>(7);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const ban = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await call(banCustomerAddress, { query: {}, body: { ip: ip.trim(), days: Number(days) } });
      await client.invalidateQueries({ queryKey: bansKey });
      sayDone(`${ip.trim()} is kept out.`);
      setIp('');
    } catch (error) {
      setFailure(explainFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void ban();
      }}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Address (IP)"
          placeholder="198.51.100.7"
          value={ip}
          onChange={({ currentTarget }) => setIp(currentTarget.value)}
        />
        <NumberInput label="Days" w={110} min={1} max={3650} allowDecimal={false} value={days} onChange={setDays} />
        <Button type="submit" variant="default" loading={isBusy} disabled={ip.trim() === '' || !Number(days)}>
          Keep out
        </Button>
      </Group>
      <Text size="sm" c={failure ? 'var(--bad)' : 'dimmed'} mt={4} mb="md" role={failure ? 'alert' : undefined}>
        {failure ?? 'Customers are banned from their chat; an address keeps out everybody behind it.'}
      </Text>
    </form>
  );
};

export const BansSection = () => {
  const client = useQueryClient();
  const agentName = useAgentName();
  const bans = useQuery({ queryKey: bansKey, queryFn: () => call(listCustomerBans, { query: {}, body: {} }) });
  const lift = async ({ customer_id: id, ip }: Ban): Promise<void> => {
    await call(unbanCustomer, { query: {}, body: id ? { id } : { ip: ip ?? null } });
    await client.invalidateQueries({ queryKey: bansKey });
    sayDone('The ban is lifted.');
  };
  return (
    <SectionPage of="bans">
      <BanAddress />
      <Loaded query={bans} empty={<Empty title="Nobody is banned" />}>
        {(all) => (
          <RowList label="Banned customers">
            {all.map((ban) => (
              <Row
                key={ban.id}
                title={nameOf(ban)}
                detail={[
                  ban.customer_name && ban.customer_id,
                  ban.customer_name && ban.ip,
                  `until ${formatTime(ban.banned_until)}`,
                  `by ${agentName(ban.banned_by)}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
                aside={
                  <ConfirmButton
                    size="xs"
                    label="Lift the ban"
                    question={`Let ${nameOf(ban)} in again?`}
                    confirmLabel="Lift the ban"
                    onConfirm={() => lift(ban)}
                  >
                    All bans of the same {ban.customer_id ? 'customer' : 'address'} end.
                  </ConfirmButton>
                }
              />
            ))}
          </RowList>
        )}
      </Loaded>
    </SectionPage>
  );
};
