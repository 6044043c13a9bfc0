import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { banCustomerAddress, listCustomerBans, unbanCustomer } from '#contracts/agent/customers.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { useAgentName } from '../../../api/people.ts';
import { refetch } from '../../../api/queries.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { Form } from '../../../design/form.tsx';
import { notifySuccess } from '../../../design/notices.ts';
import { Empty } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { useSubmit } from '../../../editing/use-submit.ts';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';

type Ban = ResponseOf<typeof listCustomerBans>[number];

const bansKey = ['bans'] as const;

const nameOf = ({ customer_name, customer_id, ip }: Ban): string => customer_name || ip || customer_id || t('unknown');

const liftBan = ({ customer_id: id, ip }: Ban) => call(unbanCustomer, { body: id ? { id } : { ip: ip ?? null } });

const BanAddress = () => {
  const [ip, setIp] = useState('');
  const [days, setDays] = useState<string | number>(7);
  const { submit, isBusy, failure } = useSubmit(async () => {
    await call(banCustomerAddress, { body: { ip: ip.trim(), days: Number(days) } });
    await refetch(bansKey);
    notifySuccess(t('ipIsBanned', { ip: ip.trim() }));
    setIp('');
  });
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t('ipAddress')}
          placeholder="198.51.100.7"
          value={ip}
          onChange={({ currentTarget }) => setIp(currentTarget.value)}
        />
        <NumberInput
          label={t('days')}
          w={110}
          min={1}
          max={3650}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
        <Button type="submit" variant="default" loading={isBusy} disabled={ip.trim() === '' || !Number(days)}>
          {t('banIP')}
        </Button>
      </Group>
      <Text size="sm" c={failure ? 'var(--danger)' : 'dimmed'} mt={4} mb="md" role={failure ? 'alert' : undefined}>
        {failure ?? t('banCustomersFromTheirChat')}
      </Text>
    </Form>
  );
};

export const BansSection = () => {
  const agentName = useAgentName();
  const bans = useQuery({ queryKey: bansKey, queryFn: () => call(listCustomerBans, { body: {} }) });
  return (
    <SectionPage of="bans">
      <BanAddress />
      <QueryRows label={t('bannedCustomers')} query={bans} empty={<Empty title={t('noBannedCustomers')} />}>
        {(ban) => (
          <Row
            key={ban.id}
            title={nameOf(ban)}
            detail={[
              ban.customer_name && ban.customer_id,
              ban.customer_name && ban.ip,
              t('untilTime', { time: formatTime(ban.banned_until) }),
              t('byAgent', { agent: agentName(ban.banned_by) }),
            ]
              .filter(Boolean)
              .join(' · ')}
            aside={
              <ConfirmButton
                size="xs"
                label={t('liftBan')}
                question={t('liftTheBanOnName', { name: nameOf(ban) })}
                onConfirm={() => liftBan(ban)}
                refetch={[bansKey]}
                notice={t('banLifted')}
              >
                {ban.customer_id ? t('allBansOnThisCustomer') : t('allBansOnThisIP')}
              </ConfirmButton>
            }
          />
        )}
      </QueryRows>
    </SectionPage>
  );
};
