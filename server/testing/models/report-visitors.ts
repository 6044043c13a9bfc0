import {
  byKey,
  countIf,
  type Model,
  ms,
  openModel,
  type ReportModels,
  type ReportQuery,
  type Rows,
} from './report-rows.ts';

const goals = (query: ReportQuery, some: Rows['hits']) => {
  const value: Record<string, { sales_count: number; value: number }> = {};
  if (query.currency) value[query.currency.toUpperCase()] = { sales_count: 0, value: 0 };
  for (const { sale } of some) {
    const currency = sale?.currency?.toUpperCase() ?? '';
    if (!sale || (query.currency && currency !== query.currency.toUpperCase())) continue;
    value[currency] ??= { sales_count: 0, value: 0 };
    value[currency].sales_count += 1;
    value[currency].value = Math.round((value[currency].value + Number(sale.price ?? 0)) * 1e9) / 1e9;
  }
  return { goals: some.length, value };
};

const hitsOf = (rows: Rows, { group, agent, tag, goal, sales_tracker }: ReportQuery) =>
  rows.hits.filter((hit) => {
    const { type } = rows.goals.find(({ id }) => id === hit.goalId)!;
    const thread = rows.threads.find(({ id }) => id === hit.threadId);
    const workers = rows.threadAgents.filter(({ threadId }) => threadId === hit.threadId).map(({ agentId }) => agentId);
    return (
      (sales_tracker === 1 ? type === 'sales_tracker' || hit.sale !== null : type !== 'sales_tracker') &&
      (group === undefined || hit.groupId === group) &&
      (goal === undefined || hit.goalId === goal) &&
      (tag === undefined || thread?.tags.includes(tag) === true) &&
      (agent === undefined || workers.includes(agent))
    );
  });

const creditOf = (rows: Rows, { visitId, reachedAt }: Rows['hits'][number]) =>
  rows.displays
    .filter((display) => display.visitId === visitId && display.acceptedAt !== null && display.acceptedAt <= reachedAt)
    .sort((a, b) => ms(a.acceptedAt!) - ms(b.acceptedAt!) || (a.id < b.id ? -1 : 1))
    .at(-1)?.id;

const greetings = (rows: Rows, model: Model, { group, tag, goal, greeting }: ReportQuery) => {
  const tagged = rows.threads
    .filter(({ active, tags }) => !active && (tag === undefined || tags.includes(tag)))
    .map(({ properties }) => properties.lc2?.greeting_unique_id);
  const displays = rows.displays.filter(
    ({ id, groupId, greetingId }) =>
      (group === undefined || groupId === group) &&
      (greeting === undefined || greetingId === greeting) &&
      (tag === undefined || tagged.includes(id)),
  );
  return byKey(
    model,
    displays,
    ({ displayedAt }) => displayedAt,
    (some, key) => ({
      ...model.rangeOf(key),
      displayed: some.length,
      accepted: countIf(some, ({ acceptedAt }) => acceptedAt !== null),
      goals: countIf(
        rows.hits,
        (hit) => (goal === undefined || hit.goalId === goal) && some.some(({ id }) => id === creditOf(rows, hit)),
      ),
    }),
  );
};

export const visitorReportModels: ReportModels = {
  'chats/goals': (rows, query) => {
    const model = openModel(query);
    return byKey(
      model,
      hitsOf(rows, query),
      ({ reachedAt }) => reachedAt,
      (some, key) => ({
        ...model.rangeOf(key),
        ...goals(query, some),
      }),
    );
  },
  'chats/greetings': (rows, query) => greetings(rows, openModel(query), query),
};
