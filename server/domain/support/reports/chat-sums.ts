import type { ChatSums } from '#server/storage/tables/reports.ts';
import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Bucket } from './buckets.ts';
import { AGENT_MEASURES, CHAT_MEASURES, SUMS } from './chat-measures.ts';
import type { Period } from './period.ts';
import { andWhere, readBuckets, within } from './read-buckets.ts';
import { selectRollups } from './rollup-ranges.ts';

/** Filters are combined with AND. */
export interface ChatFilters {
  groupId?: number | undefined;
  /** The login of an agent. Response times are those of this agent. */
  agentId?: string | undefined;
  tag?: string | undefined;
}

const NAMES: (keyof ChatSums)[] = [
  ...(['chats', 'autoInvites', 'manualInvites', 'good', 'bad', 'notReplied'] as const),
  ...(['firstResponses', 'firstResponseMs', 'responses', 'responseMs', 'chattingMs'] as const),
];
const COLUMNS = SUMS.map((sum, n) => `sum(s.${sum})::bigint as "${NAMES[n]}"`).join(', ');
const ZERO_SUMS = Object.fromEntries(NAMES.map((name) => [name, 0])) as unknown as ChatSums;

/** The rollup dimension for these filters. There is none for a combination of filters. */
const findDimension = ({ groupId, agentId, tag }: ChatFilters): string | undefined => {
  const dimensions = [
    ...(groupId === undefined ? [] : [`g${groupId}`]),
    ...(agentId === undefined ? [] : [`a${agentId}`]),
    ...(tag === undefined ? [] : [`t${tag}`]),
  ];
  return dimensions.length > 1 ? undefined : (dimensions[0] ?? '');
};

const fromRollups = (dimension: string, buckets: Bucket[], values: Values): string =>
  selectRollups(
    buckets,
    values,
    `select c.at, ${SUMS.map((sum) => `c.${sum}`).join(', ')} from chat_rollups c
     where c.organization_id = $1 and c.dimension = ${values.add(dimension)} and c.resolution = w.resolution
       and c.at >= w.start and c.at < w.stop`,
  );

/** Reads individual chats, for filters without a rollup dimension. */
const fromFacts = ({ groupId, agentId, tag }: ChatFilters, buckets: Bucket[], values: Values): string => {
  const which = andWhere(
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

/** One item per bucket. A chat counts at its start time. */
export const sumChats = async (
  scope: OrganizationScope,
  { buckets }: Period,
  filters: ChatFilters,
): Promise<ChatSums[]> => {
  const dimension = findDimension(filters);
  const found = await readBuckets<ChatSums>(scope, buckets, (values) => ({
    columns: COLUMNS,
    rows: dimension === undefined ? fromFacts(filters, buckets, values) : fromRollups(dimension, buckets, values),
  }));
  return found.map((sums) => sums ?? ZERO_SUMS);
};
