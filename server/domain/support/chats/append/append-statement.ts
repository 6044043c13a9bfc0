import type { Executor } from '#server/storage/executor.ts';
import type { AuthorKind, Properties, Visibility } from '#server/storage/tables/chats.ts';
import type { Cause } from '../../../events.ts';
import { eventId } from '../../../ids.ts';
import type { ProjectionName } from '../../../projection-queue.ts';
import type { FileUse } from '../../files/mark-used.ts';
import { webhookActions } from '../../webhooks/actions.ts';
import type { Author, EventContent, EventDraft, EventRecord } from '../records.ts';

export interface AppendItem {
  organizationId: string;
  chatId: string;
  author: Author;
  /** The groups an agent may write to; absent if all, or if the author is not an agent. */
  groupIds?: number[] | undefined;
  draft: EventDraft;
  /** Write to the last thread even when it is closed. */
  attachToLastThread: boolean;
  at: Date;
  /** The author takes over the chat if it waits and the customer can read the event; see `finish-event.ts`. */
  takesOver?: boolean;
  /** The event is a form that becomes a ticket; see `finish-event.ts`. */
  opensTicket?: boolean;
  cause?: Cause | undefined;
}

type Rejection =
  | 'not_found'
  | 'inactive'
  | 'anonymized'
  /** Nothing was written: the organization has a webhook for events, whose delivery must be written in the same transaction. */
  | 'needs_transaction';

export type AppendResult =
  | {
      outcome: 'appended';
      event: EventRecord;
      customerId: string;
      groupIds: number[];
      /** A row in `event_follow_ups` was written with it. */
      hasFollowUp: boolean;
    }
  /** The author sent this `customId` before: nothing was written. */
  | { outcome: 'repeated'; eventId: string; threadId: string }
  | { outcome: Rejection };

interface Row {
  outcome: 'appended' | 'repeated' | Rejection;
  threadId: string;
  number: number;
  createdAt: Date;
  customerId: string;
  groupIds: number[];
  hasFollowUp: boolean;
}

const PROJECTIONS_OF_ENDED_THREADS: ProjectionName[] = ['archive_search', 'report_facts'];

/**
 * Appends a batch of events. The chats are locked in id order, so two batches cannot wait for each other; numbers and
 * times continue from the locked row, so they are right even when the row changed while we waited for it. The `limit` keeps
 * the lookup of an earlier event apart from the joins: a plan made while the table was small would read all of it. No chat
 * can be locked before an item is read, so the time limit on locks holds for all of them; it ends with the transaction.
 * The author of an event that the customer can see becomes a present user of the chat; the author of a note among agents does not.
 * An event in an ended thread changes what the projections say about the thread.
 * `in_transaction` is a field of the items: as a parameter it would be folded into the plan, and PostgreSQL would plan the
 * statement again on every call (820 instead of 1,880 single appends per second).
 */
const APPEND = `
with item as (
  select t.* from set_config('lock_timeout', $2, true), json_to_recordset($1) as t(
    n int, organization_id uuid, chat_id text, author_kind text, author_id text, group_ids int[], type text,
    content jsonb, properties jsonb, custom_id text, visibility text, attach boolean, at timestamptz(3), takes_over boolean, opens_ticket boolean, in_transaction boolean)
), chat as materialized (
  select c.organization_id, c.id, c.customer_id, c.group_ids, c.active, c.anonymized, c.last_thread_id, c.event_count, c.last_event_at,
    c.active and c.assignee_id is null as waits
  from chats c
  where (c.organization_id, c.id) in (select organization_id, chat_id from item)
  order by c.organization_id, c.id
  for no key update
), checked as materialized (
  select i.*, c.waits, c.active as chat_active, c.customer_id, c.group_ids as chat_group_ids, c.last_thread_id, c.event_count,
    greatest(i.at, c.last_event_at) as created_at, earlier.thread_id as earlier_thread_id, earlier.number as earlier_number,
    case
      when c.id is null then 'not_found'
      when i.author_kind = 'customer' and c.customer_id::text <> i.author_id then 'not_found'
      when i.group_ids is not null and not c.group_ids && i.group_ids and not exists (
        select from chat_users u where u.organization_id = i.organization_id and u.chat_id = i.chat_id and u.kind = 'agent'
          and u.user_id = i.author_id and u.present) then 'not_found'
      when c.anonymized then 'anonymized'
      when earlier.number is not null then 'repeated'
      when not c.active and not i.attach then 'inactive'
      when not i.in_transaction and exists (
        select from webhooks w
        where w.organization_id = i.organization_id and w.action = '${webhookActions.event_sent}' and w.enabled) then 'needs_transaction'
      else 'appended'
    end as outcome
  from item i
  left join chat c on c.organization_id = i.organization_id and c.id = i.chat_id
  left join lateral (
    select e.thread_id, e.number from events e
    where i.custom_id is not null
      and e.organization_id = i.organization_id and e.chat_id = i.chat_id and e.author_id = i.author_id and e.custom_id = i.custom_id
    limit 1
  ) earlier on true
), numbered as materialized (
  select k.*, k.event_count + row_number() over (partition by k.organization_id, k.chat_id order by k.n) as number,
    k.visibility = 'all' and k.type <> 'system_message' as speaks,
    k.opens_ticket or k.takes_over and k.waits and k.visibility = 'all' as has_follow_up
  from checked k where k.outcome = 'appended'
), written as (
  insert into events (organization_id, chat_id, thread_id, number, type, author_kind, author_id, custom_id, visibility, content, properties, created_at)
  select organization_id, chat_id, last_thread_id, number, type, author_kind, author_id, custom_id, visibility, content, properties, created_at
  from numbered
), counted as (
  update chats c set event_count = l.number, last_event_at = l.created_at, last_events = c.last_events || l.last_events
  from (
    select organization_id, chat_id, max(number) as number, max(created_at) as created_at,
      coalesce(jsonb_object_agg(type, jsonb_build_array(last_thread_id, number) order by number) filter (where visibility = 'all'), '{}') as last_events
    from numbered group by organization_id, chat_id
  ) l
  where c.organization_id = l.organization_id and c.id = l.chat_id
), seen as (
  insert into chat_users as u (organization_id, chat_id, kind, user_id, present, visibility, seen_up_to, joined_at)
  select organization_id, chat_id, author_kind, author_id, bool_or(speaks),
    case when bool_or(speaks) then 'all' else 'agents' end, max(created_at), min(created_at)
  from numbered where author_kind <> 'system' group by organization_id, chat_id, author_kind, author_id
  on conflict (organization_id, chat_id, kind, user_id)
  do update set present = u.present or excluded.present, seen_up_to = greatest(u.seen_up_to, excluded.seen_up_to),
    visibility = case when excluded.present then 'all' else u.visibility end
), worked as (
  insert into thread_agents (organization_id, thread_id, agent_id)
  select distinct organization_id, last_thread_id, author_id from numbered where author_kind = 'agent' and speaks
  on conflict do nothing
), followed_up as (
  insert into event_follow_ups (organization_id, thread_id, number)
  select organization_id, last_thread_id, number from numbered where has_follow_up
), queued as (
  insert into projection_queue (owner_id, projection, key)
  select distinct n.organization_id::text, p.name, n.last_thread_id
  from numbered n cross join (values ${PROJECTIONS_OF_ENDED_THREADS.map((name) => `('${name}')`).join(', ')}) p(name)
  where not n.chat_active
)
select k.outcome, coalesce(k.earlier_thread_id, k.last_thread_id) as "threadId", coalesce(k.earlier_number, n.number)::int as "number",
  k.created_at as "createdAt", k.customer_id as "customerId", k.chat_group_ids as "groupIds", coalesce(n.has_follow_up, false) as "hasFollowUp"
from checked k left join numbered n on n.n = k.n
order by k.n`;

const toJson = (item: AppendItem, n: number, inTransaction: boolean): Record<string, unknown> => {
  const { type, ...content } = item.draft.content;
  return {
    n,
    organization_id: item.organizationId,
    chat_id: item.chatId,
    author_kind: item.author.kind satisfies AuthorKind,
    author_id: item.author.kind === 'system' ? null : item.author.id,
    group_ids: item.groupIds,
    type,
    content,
    properties: item.draft.properties satisfies Properties,
    custom_id: item.draft.customId,
    visibility: item.draft.visibility satisfies Visibility,
    attach: item.attachToLastThread,
    at: item.at,
    takes_over: item.takesOver,
    opens_ticket: item.opensTicket,
    in_transaction: inTransaction,
  };
};

const toResult = (row: Row, item: AppendItem): AppendResult => {
  if (row.outcome === 'appended') {
    const { threadId, number, createdAt, customerId, groupIds, hasFollowUp } = row;
    const event: EventRecord = {
      ...item.draft,
      id: eventId(threadId, number),
      chatId: item.chatId,
      threadId,
      number,
      author: item.author,
      createdAt,
    };
    return { outcome: 'appended', event, customerId, groupIds, hasFollowUp };
  }
  if (row.outcome === 'repeated')
    return { outcome: 'repeated', eventId: eventId(row.threadId, row.number), threadId: row.threadId };
  return { outcome: row.outcome };
};

/**
 * One result per item, in the items' order; without a time limit a lock is waited for as long as a statement may run. Two items
 * of one batch must not share a chat, an author and a `customId`.
 */
export const appendEvents = async (
  executor: Executor,
  items: AppendItem[],
  { lockTimeoutMs = 0, inTransaction = true } = {},
): Promise<AppendResult[]> => {
  const values = [JSON.stringify(items.map((item, n) => toJson(item, n, inTransaction))), String(lockTimeoutMs)];
  const { rows } = await executor.query<Row>({ name: 'append_events', text: APPEND, values });
  return items.map((item, at) => toResult(rows[at]!, item));
};

/** The files of the events that were written. */
export const fileUses = (items: AppendItem[], results: AppendResult[]): FileUse[] =>
  items.flatMap(({ draft: { content }, organizationId, at }, n) =>
    content.type === 'file' && results[n]?.outcome === 'appended'
      ? [{ organizationId, fileId: content.fileId, at }]
      : [],
  );

export const contentOf = (type: string, content: Record<string, unknown>): EventContent =>
  ({ type, ...content }) as EventContent;
