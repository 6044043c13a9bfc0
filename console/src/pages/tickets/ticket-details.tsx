import { Button, MultiSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { assignTicket, type Ticket, updateTicket } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { groupsQuery } from '../../api/people.ts';
import { useSession } from '../../api/session.ts';
import { AgentChoice, Choice } from '../../design/choices.tsx';
import { EditTags } from '../../design/edit-tags.tsx';
import { Facts } from '../../design/facts.tsx';
import { SafeLink } from '../../design/safe-link.tsx';
import { formatTime } from '../../design/time-ago.tsx';
import { SOURCE_NAMES, STATUS_NAMES, STATUSES, type Status } from './filters.ts';
import { MergeTicket } from './merge-ticket.tsx';
import { t } from './t.ts';
import { useTicketChange } from './use-tickets.ts';

const STATUS_CHOICES = STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }));

type Changes = { status?: Status; group_ids?: number[]; tags?: string[] };

const Source = ({ source }: Pick<Ticket, 'source'>) => {
  if (source.type === 'lc2' && source.id)
    return (
      <Link to="/archives/$" params={{ _splat: source.id }}>
        {t('archivedChat')}
      </Link>
    );
  const name = SOURCE_NAMES[source.type];
  return source.url ? <SafeLink url={source.url}>{name}</SafeLink> : name;
};

/** Details of a ticket; every change is saved immediately. */
export const TicketDetails = ({ ticket }: { ticket: Ticket }) => {
  const { login } = useSession();
  const { data: groups = [] } = useQuery(groupsQuery);
  const assign = useTicketChange((assignee: string | undefined) =>
    call(assignTicket, { body: { ticket_id: ticket.id, assignee_id: assignee ?? null } }),
  );
  const update = useTicketChange((changes: Changes) =>
    call(updateTicket, { body: { ticket_id: ticket.id, ...changes } }),
  );
  const isMine = ticket.assignee?.id === login;
  return (
    <Stack gap="sm">
      <Choice
        label={t('status')}
        value={ticket.status}
        options={STATUS_CHOICES}
        onChange={(status) => status && update.mutate({ status: status as Status })}
        none="—"
      />
      <AgentChoice
        label={t('assignee')}
        none={t('unassigned')}
        value={ticket.assignee?.id}
        onChange={(to) => assign.mutate(to)}
      />
      {!isMine && (
        <Button size="xs" variant="default" loading={assign.isPending} onClick={() => assign.mutate(login)}>
          {t('assignToMe')}
        </Button>
      )}
      <MultiSelect
        label={t('groups')}
        data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={ticket.group_ids.map(String)}
        // A ticket has at least one group.
        onChange={(ids) => ids.length > 0 && update.mutate({ group_ids: ids.map(Number) })}
      />
      <EditTags tags={ticket.tags} onChange={(tags) => update.mutateAsync({ tags })} />
      <Facts
        facts={[
          [t('requester'), [ticket.requester.name, ticket.requester.mail].filter(Boolean).join(' · ')],
          [t('source'), <Source key="source" source={ticket.source} />],
          [t('created'), formatTime(ticket.created_at)],
          [t('firstReply'), ticket.first_response && formatTime(ticket.first_response.at)],
          [t('rating'), ticket.rating && (ticket.rating === 'good' ? t('good') : t('bad'))],
        ]}
      />
      <MergeTicket ticket={ticket} />
    </Stack>
  );
};
