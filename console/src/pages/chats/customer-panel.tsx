import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCustomer } from '#contracts/agent/customers.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Facts } from '../../design/facts.tsx';
import { Person } from '../../design/person.tsx';
import { SafeLink } from '../../design/safe-link.tsx';
import { ownImage } from '../../design/safe-url.ts';
import { Loaded } from '../../design/states.tsx';
import { formatTime, TimeAgo } from '../../design/time-ago.tsx';
import { formatNumber } from '../../i18n/language.ts';
import { customerOf, nameOf } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { usePushes } from '../../realtime/live.ts';
import { BanButton } from './ban-button.tsx';
import { CustomerHistory } from './customer-history.tsx';
import classes from './customer-panel.module.css';
import { EditCustomer } from './edit-customer.tsx';
import { PanelSection } from './panel-section.tsx';
import { t } from './t.ts';

export type Customer = ResponseOf<typeof getCustomer>;

const placeOf = (visit: Customer['last_visit']): string =>
  [visit?.geolocation?.city, visit?.geolocation?.region, visit?.geolocation?.country].filter(Boolean).join(', ');

const Page = ({ url, title, at }: { url: string; title: string | undefined; at: string }) => {
  return (
    <li>
      <Text size="sm" lineClamp={1}>
        <SafeLink url={url}>{title || url}</SafeLink>
      </Text>
      <Dimmed size="xs" lineClamp={1}>
        {url} · <TimeAgo at={at} />
      </Dimmed>
    </li>
  );
};

const Details = ({ customer, chat }: { customer: Customer; chat: LiveChat }) => {
  const visit = customer.last_visit;
  const fields = customerOf(chat)?.session_fields ?? customer.session_fields;
  return (
    <Accordion multiple defaultValue={['facts', 'pages', 'fields', 'goals']} variant="default" order={3}>
      <PanelSection id="facts" title={t('details')}>
        <Facts
          facts={[
            [
              t('email'),
              customer.email && customer.email_verified
                ? t('emailVerified', { email: customer.email })
                : customer.email,
            ],
            [t('location'), placeOf(visit)],
            [t('timeZone'), visit?.geolocation?.timezone],
            [t('ipAddress'), visit?.ip],
            [t('browser'), visit?.user_agent],
            [t('referrer'), visit?.referrer],
            [t('firstSeen'), formatTime(customer.created_at)],
            [t('visits'), formatNumber(customer.statistics.visits_count)],
            [t('chats'), formatNumber(customer.statistics.threads_count)],
          ]}
        />
      </PanelSection>
      <PanelSection id="pages" title={t('pagesViewed')}>
        {visit && visit.last_pages.length > 0 ? (
          <ol className={classes.pages}>
            {visit.last_pages.toReversed().map(({ url, title, opened_at: at }) => (
              <Page key={`${at} ${url}`} url={url} title={title} at={at} />
            ))}
          </ol>
        ) : (
          <Dimmed>{t('noPagesYet')}</Dimmed>
        )}
      </PanelSection>
      {fields.length > 0 && (
        <PanelSection id="fields" title={t('customData')}>
          <Facts facts={fields.flatMap((field) => Object.entries(field))} />
        </PanelSection>
      )}
      {customer.visitor_details.map(({ id, fields: details }) => (
        <PanelSection key={id} id={`program ${id}`} title={id}>
          <Facts facts={details.map(({ name, value }) => [name, value])} />
        </PanelSection>
      ))}
      <CustomerHistory id={customer.id} chat={chat} />
    </Accordion>
  );
};

/** Details of the customer and their visit. */
export const CustomerPanel = ({ chat }: { chat: LiveChat }) => {
  const user = customerOf(chat);
  const id = user?.id ?? '';
  const query = useQuery({
    queryKey: keys.customer(id),
    queryFn: () => call(getCustomer, { body: { id } }),
    enabled: id !== '',
  });
  usePushes((batch) => {
    const isAbout = batch.some(
      ({ action, payload }) =>
        (action === 'customer_page_updated' && payload.customer_id === id) ||
        (action === 'customer_updated' && payload.id === id) ||
        (action === 'customer_banned' && payload.customer_id === id) ||
        (action === 'customer_visit_started' && payload.customer.id === id) ||
        (action === 'customer_visit_ended' && payload.customer_id === id),
    );
    if (isAbout) void query.refetch();
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Person name={nameOf(user)} image={ownImage(user?.avatar)} detail={user?.email} size={44} />
        <EditCustomer id={id} name={user?.name} email={user?.email} />
      </Group>
      <Loaded query={query}>
        {(customer) => (
          <>
            <Group gap={6}>
              <Badge variant="light" color={customer.online ? 'accent' : 'gray'}>
                {customer.online ? t('online') : t('offline')}
              </Badge>
              {customer.banned_until && (
                <Badge variant="light" color="red">
                  {t('bannedUntilTime', { time: formatTime(customer.banned_until) })}
                </Badge>
              )}
            </Group>
            <Details customer={customer} chat={chat} />
            <BanButton id={id} isBanned={customer.banned_until !== undefined} onDone={() => void query.refetch()} />
          </>
        )}
      </Loaded>
    </Stack>
  );
};
