import {
  average,
  byKey,
  countIf,
  ms,
  openModel,
  type ReportModels,
  type ReportQuery,
  type Rows,
  rank,
} from './report-rows.ts';

const ticketsOf = (rows: Rows, { group, tag }: ReportQuery) =>
  rows.tickets
    .filter(({ status, mergedInto }) => status !== 'spam' && mergedInto === null)
    .filter(({ groupIds }) => group === undefined || groupIds.includes(group))
    .filter(({ tags }) => tag === undefined || tags.includes(tag));

const hours = (some: Rows['tickets'], at: (ticket: Rows['tickets'][number]) => Date) => ({
  count: some.length,
  hours: average(
    some.map((ticket) => ms(at(ticket)) - ms(ticket.createdAt)),
    3_600_000,
  ),
});

const ratedAgent = ({ assigneeId, solvedBy, firstResponseBy }: Rows['tickets'][number]) =>
  assigneeId ?? solvedBy ?? firstResponseBy;

export const ticketReportModels: ReportModels = {
  'tickets/new_tickets': (rows, query) =>
    byKey(
      openModel(query),
      ticketsOf(rows, query),
      ({ createdAt }) => createdAt,
      (some) => ({ new_tickets: some.length }),
    ),
  'tickets/first_response_time': (rows, query) => {
    const own = ticketsOf(rows, query).filter(
      ({ firstResponseBy }) => query.agent === undefined || firstResponseBy === query.agent,
    );
    return byKey(
      openModel(query),
      own,
      ({ firstResponseAt }) => firstResponseAt,
      (some) => hours(some, ({ firstResponseAt }) => firstResponseAt!),
    );
  },
  'tickets/solved_tickets': (rows, query) => {
    const own = ticketsOf(rows, query).filter(({ solvedBy }) => query.agent === undefined || solvedBy === query.agent);
    return byKey(
      openModel(query),
      own,
      ({ solvedAt }) => solvedAt,
      (some) => ({ solved_tickets: some.length }),
    );
  },
  'tickets/resolution_time': (rows, query) => {
    const own = ticketsOf(rows, query).filter(({ solvedBy }) => query.agent === undefined || solvedBy === query.agent);
    return byKey(
      openModel(query),
      own,
      ({ solvedAt }) => solvedAt,
      (some) => hours(some, ({ solvedAt }) => solvedAt!),
    );
  },
  'tickets/ticket_sources': (rows, query) =>
    byKey(
      openModel(query),
      ticketsOf(rows, query),
      ({ createdAt }) => createdAt,
      (some) => ({
        tickets_from_chat_window: countIf(some, ({ sourceType }) => sourceType === 'chat-window'),
        tickets_from_mail: countIf(some, ({ sourceType }) => sourceType === 'mail'),
        tickets_from_chat: countIf(some, ({ sourceType }) => sourceType === 'lc2'),
      }),
    ),
  'tickets/ratings': (rows, query) => {
    const model = openModel(query);
    const own = ticketsOf(rows, query).filter(
      (ticket) => query.agent === undefined || ratedAgent(ticket) === query.agent,
    );
    return byKey(
      model,
      own,
      ({ ratedAt }) => ratedAt,
      (some, key) => ({
        ...model.rangeOf(key),
        bad: countIf(some, ({ rating }) => rating === 'bad'),
        good: countIf(some, ({ rating }) => rating === 'good'),
      }),
    );
  },
  'tickets/ratings/ranking': (rows, query) => {
    const model = openModel(query);
    const some = ticketsOf(rows, query).filter(({ ratedAt }) => ratedAt && model.keyOf(ratedAt));
    return { ranking: rank(some.map((ticket) => ({ by: ratedAgent(ticket), rating: ticket.rating }))) };
  },
};
