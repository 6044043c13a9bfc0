import type { QueryResultRow } from 'pg';
import type { OrganizationScope } from '../../scope.ts';
import {
  type DisplayRow,
  type LiveVisitorRow,
  namedVisitorQueries,
  OPEN_CHATS,
  type OpenChatRow,
  onlineVisitorQueries,
  type PageRow,
  type PastChatsRow,
  type VisitorQueries,
} from './live-visitor-sql.ts';

/** A live visitor with related rows. */
export interface LiveVisitorData {
  visitor: LiveVisitorRow;
  chat: OpenChatRow | undefined;
  past: PastChatsRow | undefined;
  /** Greetings of this visit, in order. */
  displays: DisplayRow[];
  pages: PageRow[];
}

const read = async <Row extends QueryResultRow>(
  { executor, organizationId }: OrganizationScope,
  text: string,
  ...values: unknown[]
): Promise<Row[]> => (await executor.query<Row>({ text, values: [organizationId, ...values] })).rows;

/** The queries are independent, so they run concurrently. */
const runQueries = async (scope: OrganizationScope, queries: VisitorQueries, parameter: unknown, paths: boolean) => {
  const [visitors, past, displays, pages] = await Promise.all([
    read<LiveVisitorRow>(scope, queries.visitors, parameter),
    read<PastChatsRow>(scope, queries.pastChats, parameter),
    read<DisplayRow>(scope, queries.displays, parameter),
    paths ? read<PageRow>(scope, queries.pages, parameter) : [],
  ]);
  return { visitors, past, displays, pages };
};

type VisitorRows = Awaited<ReturnType<typeof runQueries>>;

/** Visitors who chat through the account's own program have neither page nor socket. */
const findRemote = ({ visitors }: VisitorRows, chats: OpenChatRow[]): string[] => {
  const seen = new Set(visitors.map(({ customerId }) => customerId));
  return chats.flatMap(({ customerId, remote }) => (remote && !seen.has(customerId) ? [customerId] : []));
};

const join = ({ visitors, past, displays, pages }: VisitorRows, chats: OpenChatRow[]): LiveVisitorData[] => {
  const chatOf = new Map(chats.map((chat) => [chat.customerId, chat]));
  const pastOf = new Map(past.map((one) => [one.customerId, one]));
  const displaysOf = Map.groupBy(displays, ({ visitId }) => visitId);
  const pagesOf = Map.groupBy(pages, ({ visitId }) => visitId);
  return visitors.map((one) => ({
    visitor: one,
    chat: chatOf.get(one.customerId),
    past: pastOf.get(one.customerId),
    displays: displaysOf.get(one.visitId ?? '') ?? [],
    pages: pagesOf.get(one.visitId ?? '') ?? [],
  }));
};

/** Needs a fixed number of statements for any number of visitors. `paths` includes the visited pages. */
export const readLiveVisitors = async (
  scope: OrganizationScope,
  { paths }: { paths: boolean },
): Promise<LiveVisitorData[]> => {
  const [chats, rows] = await Promise.all([
    read<OpenChatRow>(scope, OPEN_CHATS),
    runQueries(scope, onlineVisitorQueries, scope.now(), paths),
  ]);
  const remote = findRemote(rows, chats);
  const live = join(rows, chats);
  return remote.length === 0
    ? live
    : [...live, ...join(await runQueries(scope, namedVisitorQueries, remote, paths), chats)];
};
