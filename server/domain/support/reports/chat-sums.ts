import type { ChatSums } from '#server/storage/tables/reports.ts';
import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Bucket } from './buckets.ts';
import { AGENT_MEASURES, CHAT_MEASURES, SUMS } from './chat-measures.ts';
import type { Period } from './period.ts';
import { also, readBuckets, within } from './read-buckets.ts';
import { selectRollups } from './rollup-ranges.ts';

/** Whose chats are meant; several at once mean those that are all of it. */
export interface ChatFilters {
  groupId?: number | undefined;
  /** A login; counted is what this agent did. */
  agentId?: string | undefined;
  tag?: string | undefined;
}

const NAMES: (keyof ChatSums)[] = [
  ...(['chats', 'autoInvites', 'manualInvites', 'good', 'bad', 'notReplied'] as const),
  ...(['firstResponses', 'firstResponseMs', 'responses', 'responseMs', 'chattingMs'] as const),
];
const COLUMNS = SUMS.map((sum, n) => `sum(s.${sum})::bigint as "${NAMES[n]}"`).join(', ');
const NONE = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as ChatSums;

/** The sums that hold just what is asked for, if any do. */
const dimensionOf = ({ groupId, agentId, tag }: ChatFilters): string | undefined => {
  const asked = [
    ...(groupId === undefined ? [] : [`g${groupId}`]),
    ...(agentId === undefined ? [] : [`a${agentId}`]),
    ...(tag === undefined ? [] : [`t${tag}`]),
  ];
  return asked.length > 1 ? undefined : (asked[0] ?? '');
};

/** Few rows, however many chats they stand for. */
const fromRollups = (dimension: string, buckets: Bucket[], values: Values): string =>
  selectRollups(
    buckets,
    values,
    `select c.at, ${SUMS.map((sum) => `c.${sum}`).join(', ')} from chat_rollups c
     where c.organization_id = $1 and c.dimension = ${values.add(dimension)} and c.resolution = w.resolution
       and c.at >= w.start and c.at < w.stop`,
  );

/** The chats themselves, for what no sum holds. */
const fromFacts = ({ groupId, agentId, tag }: ChatFilters, buckets: Bucket[], values: Values): string => {
  const which = also(
    groupId !== undefined && `f.group_ids @> array[${values.add(groupId)}::int]`,
    tag !== undefined && `f.tags @> array[${values.add(tag)}::text]`,
  );
  return agentId === undefined
    ? `select f.started_at as at, ${CHAT_MEASURES} from chat_facts f
       where f.organization_id = $1 and ${within('f.started_at', buckets, values)}${which}`
    : `select f.started_at as at, ${AGENT_MEASURES} from chat_agent_facts x
       join chat_facts f on f.organization_id = $1 and f.thread_id = x.thread_id
       where x.organization_id = $1 and x.agent_id = ${values.add(agentId)}
         and ${within('x.started_at', buckets, values)}${which}`;
};

/** One for each bucket, in order. A chat counts when it started. */
export const sumChats = async (
  scope: OrganizationScope,
  { buckets }: Period,
  filters: ChatFilters,
): Promise<ChatSums[]> => {
  const dimension = dimensionOf(filters);
  const found = await readBuckets<ChatSums>(scope, buckets, (values) => ({
    columns: COLUMNS,
    rows: dimension === undefined ? fromFacts(filters, buckets, values) : fromRollups(dimension, buckets, values),
  }));
  return found.map((sums) => sums ?? NONE);
};
