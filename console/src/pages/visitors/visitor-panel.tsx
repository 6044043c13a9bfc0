import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { startChat } from '#contracts/agent/chats.ts';
import { getCustomer } from '#contracts/agent/customers.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { useGroupName } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { Facts } from '../../design/facts.tsx';
import { CloseLink } from '../../design/icon-button.tsx';
import { Avatar } from '../../design/person.tsx';
import { SafeLink } from '../../design/safe-link.tsx';
import { ownImage } from '../../design/safe-url.ts';
import { formatClock, formatTime, TimeAgo } from '../../design/time-ago.tsx';
import { useAction } from '../../design/use-action.ts';
import { History } from './history.tsx';
import { InviteMenu } from './invite-menu.tsx';
import { Section } from './section.tsx';
import { StateLabel } from './state-label.tsx';
import { t } from './t.ts';
import type { VisitedPage, Visitor } from './visitor.ts';
import classes from './visitors.module.css';

type Customer = ResponseOf<typeof getCustomer>;

const useCustomer = (id: string) =>
  useQuery({
    queryKey: keys.customer(id),
    queryFn: () => call(getCustomer, { body: { id } }),
    // Visitors of custom apps have IDs without a customer record.
    retry: false,
  });

const Path = ({ pages }: { pages: VisitedPage[] }) => (
  <ol className={classes.path} reversed>
    {pages.toReversed().map(({ url, title, at, invitation }) => (
      <li key={`${at} ${url}`}>
        <SafeLink url={url}>{title || url}</SafeLink>
        <small>
          {formatClock(at * 1000)} · {url}
        </small>
        {invitation && <small>{t('greetedText', { text: invitation })}</small>}
      </li>
    ))}
  </ol>
);

const Details = ({ details }: { details: Customer['visitor_details'] }) =>
  details.map(({ id, fields }) => (
    <Section key={id} title={id}>
      <Facts
        facts={fields.map(({ name, value, url }) => [
          name,
          url ? (
            <SafeLink key={name} url={url}>
              {value}
            </SafeLink>
          ) : (
            value
          ),
        ])}
      />
    </Section>
  ));

const IN_CHAT: ReadonlySet<Visitor['state']> = new Set(['chatting', 'queued', 'logging into chat']);

/** Opens the ongoing chat or starts one. */
const ChatButton = ({ visitor, customer }: { visitor: Visitor; customer: Customer | undefined }) => {
  const navigate = useNavigate();
  const open = (chatId: string): void => void navigate({ to: '/chats/$chatId', params: { chatId } });
  const starting = useAction(
    () => call(startChat, { body: { chat: { users: [{ id: visitor.id, type: 'customer' }] }, active: true } }),
    ({ chat_id }) => open(chat_id),
  );
  const current = IN_CHAT.has(visitor.state) ? customer?.chat_ids[0] : undefined;
  if (current)
    return (
      <Button size="xs" onClick={() => open(current)}>
        {t('openChat')}
      </Button>
    );
  return (
    <Button size="xs" loading={starting.isPending} disabled={!customer} onClick={() => starting.mutate()}>
      {t('startChat')}
    </Button>
  );
};

export const VisitorPanel = ({ visitor }: { visitor: Visitor }) => {
  const groupName = useGroupName();
  const { data: customer } = useCustomer(visitor.id);
  return (
    <section className={classes.panel} aria-label={t('aboutName', { name: visitor.name })}>
      <Group className={classes.head} gap="sm" wrap="nowrap">
        <Avatar name={visitor.name} image={ownImage(customer?.avatar)} />
        <div style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} size="h5" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {visitor.name}
          </Title>
          <Text size="xs" c="dimmed" component="div">
            <StateLabel state={visitor.state} />
          </Text>
        </div>
        <CloseLink to="/visitors" label={t('close')} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={classes.content} tabIndex={0} aria-label={t('details')}>
        <Stack gap="md">
          <Group gap="xs">
            <ChatButton visitor={visitor} customer={customer} />
            {!IN_CHAT.has(visitor.state) && <InviteMenu visitorId={visitor.id} />}
          </Group>
          <Facts
            facts={[
              [t('email'), customer?.email],
              [t('agent'), visitor.agents],
              [t('group'), groupName(visitor.group)],
              [t('timeOnSite'), <TimeAgo key="time" at={visitor.startedAt * 1000} short />],
              [t('referrer'), visitor.referrer && <SafeLink url={visitor.referrer} />],
              [t('searchKeyword'), visitor.searched],
              [t('location'), visitor.place],
              [t('ipAddress'), visitor.ip],
              [t('browser'), [visitor.browser, visitor.language].filter(Boolean).join(' · ')],
              [t('firstSeen'), customer && formatTime(customer.created_at)],
              [t('visits'), visitor.visits],
              [t('currentGreeting'), visitor.invitation],
              [t('bannedUntil'), customer?.banned_until && formatTime(customer.banned_until)],
            ]}
          />
          {visitor.variables.length > 0 && (
            <Section title={t('customData')}>
              <Facts facts={visitor.variables.map(({ key, value }) => [key, value])} />
            </Section>
          )}
          <Details details={customer?.visitor_details ?? []} />
          <Section title={t('pagesViewed')}>
            <Path pages={visitor.pages} />
          </Section>
          <History visitorId={visitor.id} />
        </Stack>
      </section>
    </section>
  );
};
