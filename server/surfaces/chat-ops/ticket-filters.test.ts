import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { assignTicket, setTicketStatus, setTicketTags } from '#server/domain/support/tickets/change-ticket.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { mergeTickets } from '#server/domain/support/tickets/merge-tickets.ts';
import type { TicketSource, TicketStatus } from '#server/domain/support/tickets/records.ts';
import { addTicketNote } from '#server/domain/support/tickets/reply-to-ticket.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { reader } from '../../testing/builders/archive.ts';

/** The expected data of each ticket. */
interface TicketModel {
  id: string;
  subject: string;
  texts: string[];
  mail: string;
  name: string;
  status: TicketStatus;
  assignee: string | undefined;
  groups: number[];
  source: TicketSource;
  tags: string[];
  /** In New York, the shop's time zone. */
  days: string[];
  modified: number;
}

type Filter = [query: string, matches: (ticket: TicketModel) => boolean];

const ZONE = 'America/New_York';
const STATUSES: TicketStatus[] = ['open', 'pending', 'solved', 'spam'];
const SOURCES: TicketSource[] = ['lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window'];
const HALF_DAY = 12 * 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let read: ReturnType<typeof reader>;
let agents: string[];
const tickets: TicketModel[] = [];

const today = (): string => test.clock.now().toLocaleDateString('en-CA', { timeZone: ZONE });

const touch = (ticket: TicketModel): void => {
  ticket.days.push(today());
  ticket.modified = test.clock.now().getTime();
};

const asOwner = (): OrganizationScope => {
  const actor: AgentActor = { kind: 'agent', id: organization.owner.login, permission: 'owner', groupIds: [0] };
  return openOrganizationScope(test.context.services, actor, organization.id);
};

const open = async (n: number): Promise<TicketModel> => {
  const source = SOURCES[n % 5]!;
  const groups = [[0], [3], [3, 4], [4]][n % 4]!;
  const mail = `Person${n % 3}@home.test`;
  const name = n % 4 === 0 ? 'Zoë 50%' : 'Someone';
  const subject = n % 5 === 0 ? 'A_broken lamp' : `Number ${n}`;
  const text = n % 3 === 0 ? `It is 100% broken (${n})` : `Hello ${n}`;
  const made = await createTicket(asOwner(), {
    requester: { mail, name },
    message: text,
    subject,
    groupIds: groups,
    source: { type: source },
  });
  const ticket: TicketModel = {
    ...{
      id: made.id,
      subject,
      texts: [text],
      mail,
      name,
      status: 'open',
      assignee: undefined,
      groups,
      source,
      tags: [],
    },
    ...{ days: [], modified: 0 },
  };
  touch(ticket);
  tickets.push(ticket);
  return ticket;
};

const change = async (ticket: TicketModel, n: number): Promise<void> => {
  const scope = asOwner();
  const status = STATUSES[n % 4]!;
  if (n % 2 === 0) {
    ticket.assignee = agents[n % 3 === 0 ? 0 : 1]!;
    await assignTicket(scope, { ticketId: ticket.id, assignee: ticket.assignee });
    touch(ticket);
  }
  if (status !== 'open') {
    ticket.status = status;
    await setTicketStatus(scope, { ticketId: ticket.id, status });
    touch(ticket);
  }
  if (n % 3 === 1) {
    ticket.tags = n % 2 === 0 ? ['vip', 'late'] : ['vip'];
    await setTicketTags(scope, { ticketId: ticket.id, tags: ticket.tags });
    touch(ticket);
  }
  if (n % 7 === 0) {
    ticket.texts.push('a note about cats');
    await addTicketNote(scope, { ticketId: ticket.id, message: 'a note about cats' });
    touch(ticket);
  }
};

beforeAll(async () => {
  organization = await buildOrganization(test);
  const { kysely } = test.context.database;
  await kysely.updateTable('organizations').where('id', '=', organization.id).set({ timezone: ZONE }).execute();
  for (const id of [3, 4]) await buildGroup(organization, id);
  agents = [(await buildAgent(organization)).login, (await buildAgent(organization)).login];
  read = reader(test, organization.owner);
  for (let n = 0; n < 30; n++) {
    await open(n);
    test.clock.advance(HALF_DAY);
    if (n >= 5) await change(tickets[n - 5]!, n - 5);
  }
  // A merged ticket is found only through the remaining one.
  const [from, into] = [await open(30), tickets[3]!];
  await mergeTickets(asOwner(), { ticketId: from.id, into: into.id });
  tickets.pop();
  into.texts.push(...from.texts);
  into.days.push(...from.days);
  touch(into);
});

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-zë\d]+/g) ?? [];

const withText = (part: string): Filter => [
  `query=${encodeURIComponent(part)}`,
  ({ subject, texts, mail, name }) => {
    const written = wordsOf([subject, ...texts, mail, name].join(' '));
    const [last = '', ...others] = wordsOf(part).toReversed();
    const isOpen = last.length >= 3 && part.toLowerCase().endsWith(last);
    return (
      others.every((word) => written.includes(word)) &&
      written.some((word) => (isOpen ? word.startsWith(last) : word === last))
    );
  },
];

const between = (from: string | undefined, to: string | undefined): Filter => [
  [from ? `date_from=${from}` : '', to ? `date_to=${to}` : ''].filter(Boolean).join('&'),
  ({ days }) => days.some((day) => (from === undefined || day >= from) && (to === undefined || day <= to)),
];

/** Filters in one list exclude each other; a query has at most one of each list. */
const kinds = (): Filter[][] => [
  [between('2026-03-05', undefined), between(undefined, '2026-03-04'), between('2026-03-07', '2026-03-08')],
  [
    ['assigned=0', ({ assignee }) => assignee === undefined],
    ['assigned=1', ({ assignee }) => assignee !== undefined],
  ],
  [...agents, 'nobody@shop.test'].map(
    (login): Filter => [`assignee=${login.toUpperCase()}`, ({ assignee }) => assignee === login],
  ),
  STATUSES.map((one): Filter => [`status=${one}`, ({ status }) => status === one]),
  SOURCES.map((one): Filter => [`source=${one}`, ({ source }) => source === one]),
  [0, 3, 4, 9].map((id): Filter => [`group=${id}`, ({ groups }) => groups.includes(id)]),
  [
    ['requester[mail]=person1@HOME.test', ({ mail }) => mail === 'Person1@home.test'],
    ['requester[mail]=erson1@home.test', () => false],
  ],
  [
    ['tag=vip', ({ tags }) => tags.includes('vip')],
    ['tag[]=vip&tag[]=late', ({ tags }) => tags.includes('vip') && tags.includes('late')],
  ],
  [
    ['tagged=0', ({ tags }) => tags.length === 0],
    ['tagged=1', ({ tags }) => tags.length > 0],
  ],
  [
    withText('100%'),
    withText('lamp A_brok'),
    withText('zoë'),
    withText('CATS'),
    withText('person2@'),
    withText('no such'),
  ],
  [
    ['order=asc', () => true],
    ['order=desc', () => true],
  ],
];

const expected = (filters: Filter[]): string[] => {
  const found = tickets.filter((ticket) => filters.every(([, matches]) => matches(ticket)));
  const order = filters.some(([query]) => query === 'order=asc') ? 1 : -1;
  return found.toSorted((a, b) => order * (a.modified - b.modified || (a.id < b.id ? -1 : 1))).map(({ id }) => id);
};

const findIds = async (filters: Filter[]): Promise<string[]> => {
  const query = filters.map(([text]) => text).join('&');
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await read(`/tickets?${query}&page=${page}`);
    expect(status, query).toBe(200);
    ids.push(...body.tickets.map(({ id }: { id: string }) => id));
    if (page >= body.pages) {
      expect([body.total, body.pages]).toEqual([ids.length, Math.ceil(ids.length / 25)]);
      return ids;
    }
    expect(body.tickets).toHaveLength(25);
  }
};

describe('the list of tickets', () => {
  it('matches the reference model without filters and with each filter', async () => {
    expect(await findIds([])).toEqual(expected([]));
    for (const filter of kinds().flat()) expect(await findIds([filter]), filter[0]).toEqual(expected([filter]));
  });

  it('matches the reference model with each pair of filters', async () => {
    const lists = kinds();
    for (const [at, first] of lists.entries())
      for (const second of lists.slice(at + 1))
        for (const one of first)
          for (const other of second)
            expect(await findIds([one, other]), `${one[0]} & ${other[0]}`).toEqual(expected([one, other]));
  });

  it('matches the reference model with one value of each filter together', async () => {
    for (let turn = 0; turn < 6; turn++) {
      const filters = kinds().map((list) => list[turn % list.length]!);
      expect(await findIds(filters)).toEqual(expected(filters));
    }
  });

  const invalidQueries = [
    'page=0',
    'page=1.5',
    'page=',
    'date_from=2026-02-30',
    'date_to=yesterday',
    'date_from=2026-03-02&date_to=2026-03-01',
    'assigned=2',
    'order=up',
    'status=closed',
    'source=fax',
    'group=x',
    'query=',
    `query=${'a'.repeat(201)}`,
    'query=%00',
    'requester=ann@home.test',
    'tag[]=',
  ];
  for (const query of invalidQueries)
    it(`rejects ${query.slice(0, 40)}`, async () => {
      expect(await read(`/tickets?${query}`)).toMatchObject({ status: 400, body: { code: 400 } });
    });

  it('ends at page 1000, with a hint', async () => {
    expect((await read('/tickets?page=1000')).body).toMatchObject({ tickets: [], total: 30, pages: 2 });
    for (const page of ['1001', '1000000000']) {
      const { status, body } = await read(`/tickets?page=${page}`);
      expect([status, body.message]).toEqual([400, expect.stringContaining('narrow the dates')]);
    }
  });

  it('is available as JSONP', async () => {
    const headers = { authorization: organization.owner.basic };
    const { body } = await test.app.inject({ method: 'GET', url: '/tickets?callback=cb&status=spam', headers });
    expect(body).toMatch(/^\/\*\*\/cb\(\{/);
  });
});
