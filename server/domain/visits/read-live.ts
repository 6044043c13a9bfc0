import type { QueryResultRow } from 'pg';
import type { OrganizationScope } from '../scope.ts';
import {
  DISPLAYS,
  type DisplayRow,
  HERE,
  type HereRow,
  NAMED,
  OPEN_CHATS,
  type OpenChatRow,
  PAGES_HERE,
  PAGES_NAMED,
  PAST_CHATS,
  type PageRow,
  type PastChatsRow,
} from './live-statement.ts';

/** Somebody who is here, with what is known of it. */
export interface Live {
  here: HereRow;
  chat: OpenChatRow | undefined;
  past: PastChatsRow | undefined;
  /** Greetings of this visit, in their order. */
  displays: DisplayRow[];
  pages: PageRow[];
}

const read = async <Row extends QueryResultRow>(
  { executor, organizationId }: OrganizationScope,
  text: string,
  ...values: unknown[]
): Promise<Row[]> => (await executor.query<Row>({ text, values: [organizationId, ...values] })).rows;

const visitIdsOf = (rows: HereRow[]): string[] => rows.flatMap(({ visitId }) => visitId ?? []);

/** Those who chat by a program of their own have neither page nor socket. */
const readRemote = async (scope: OrganizationScope, chats: OpenChatRow[], here: HereRow[]): Promise<HereRow[]> => {
  const seen = new Set(here.map(({ customerId }) => customerId));
  const ids = chats.flatMap(({ customerId, remote }) => (remote && !seen.has(customerId) ? [customerId] : []));
  return ids.length === 0 ? [] : read<HereRow>(scope, NAMED, ids);
};

/** The earliest beginning of their visits: what happened before is no news of anybody. */
const earliest = (rows: HereRow[], now: Date): Date =>
  new Date(rows.reduce((least, { startedAt }) => Math.min(least, (startedAt ?? Infinity) * 1000), now.getTime()));

/**
 * A handful of statements, however many are here: each reads one kind of rows of all of them at once. `paths`: also the pages
 * that they looked at.
 */
export const readLive = async (scope: OrganizationScope, { paths }: { paths: boolean }): Promise<Live[]> => {
  const now = scope.now();
  const [chats, here, pagesHere] = await Promise.all([
    read<OpenChatRow>(scope, OPEN_CHATS),
    read<HereRow>(scope, HERE, now),
    paths ? read<PageRow>(scope, PAGES_HERE, now) : [],
  ]);
  const remote = await readRemote(scope, chats, here);
  const all = [...here, ...remote];
  if (all.length === 0) return [];
  const customerIds = all.map(({ customerId }) => customerId);
  const [past, displays, pagesRemote] = await Promise.all([
    read<PastChatsRow>(scope, PAST_CHATS, customerIds, earliest(all, now)),
    read<DisplayRow>(scope, DISPLAYS, visitIdsOf(all)),
    paths && remote.length > 0 ? read<PageRow>(scope, PAGES_NAMED, visitIdsOf(remote)) : [],
  ]);
  const chatOf = new Map(chats.map((chat) => [chat.customerId, chat]));
  const pastOf = new Map(past.map((one) => [one.customerId, one]));
  const displaysOf = Map.groupBy(displays, ({ visitId }) => visitId);
  const pagesOf = Map.groupBy([...pagesHere, ...pagesRemote], ({ visitId }) => visitId);
  return all.map((one) => ({
    here: one,
    chat: chatOf.get(one.customerId),
    past: pastOf.get(one.customerId),
    displays: displaysOf.get(one.visitId ?? '') ?? [],
    pages: pagesOf.get(one.visitId ?? '') ?? [],
  }));
};
