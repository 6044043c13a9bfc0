import type { QueryResultRow } from 'pg';
import type { OrganizationScope } from '../../scope.ts';
import {
  aboutHere,
  aboutNamed,
  type DisplayRow,
  type HereRow,
  OPEN_CHATS,
  type OpenChatRow,
  type PageRow,
  type PastChatsRow,
  type Questions,
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

/** All questions at once: they do not depend on each other's answers. */
const ask = async (scope: OrganizationScope, questions: Questions, about: unknown, paths: boolean) => {
  const [here, past, displays, pages] = await Promise.all([
    read<HereRow>(scope, questions.visitors, about),
    read<PastChatsRow>(scope, questions.pastChats, about),
    read<DisplayRow>(scope, questions.displays, about),
    paths ? read<PageRow>(scope, questions.pages, about) : [],
  ]);
  return { here, past, displays, pages };
};

type Answers = Awaited<ReturnType<typeof ask>>;

/** Those who chat by a program of their own have neither page nor socket. */
const findRemote = ({ here }: Answers, chats: OpenChatRow[]): string[] => {
  const seen = new Set(here.map(({ customerId }) => customerId));
  return chats.flatMap(({ customerId, remote }) => (remote && !seen.has(customerId) ? [customerId] : []));
};

const join = ({ here, past, displays, pages }: Answers, chats: OpenChatRow[]): Live[] => {
  const chatOf = new Map(chats.map((chat) => [chat.customerId, chat]));
  const pastOf = new Map(past.map((one) => [one.customerId, one]));
  const displaysOf = Map.groupBy(displays, ({ visitId }) => visitId);
  const pagesOf = Map.groupBy(pages, ({ visitId }) => visitId);
  return here.map((one) => ({
    here: one,
    chat: chatOf.get(one.customerId),
    past: pastOf.get(one.customerId),
    displays: displaysOf.get(one.visitId ?? '') ?? [],
    pages: pagesOf.get(one.visitId ?? '') ?? [],
  }));
};

/** A handful of statements, however many are here. `paths`: also the pages that they looked at. */
export const readLive = async (scope: OrganizationScope, { paths }: { paths: boolean }): Promise<Live[]> => {
  const [chats, answers] = await Promise.all([
    read<OpenChatRow>(scope, OPEN_CHATS),
    ask(scope, aboutHere, scope.now(), paths),
  ]);
  const remote = findRemote(answers, chats);
  const live = join(answers, chats);
  return remote.length === 0 ? live : [...live, ...join(await ask(scope, aboutNamed, remote, paths), chats)];
};
