import { describe, expect, it } from 'vitest';
import { expectFilterPairs, type Filter } from './filter-pairs.ts';
import { expectError, type Json, newShop, nowSeconds } from './index.ts';
import { target } from './target.ts';

const startedAt = nowSeconds();
const shop = await newShop(target);
const { owner } = shop;
const alma = await shop.addAgent('Alma');
const { id: SALES } = await owner.ok('POST', '/groups', { name: 'Sales', agents: [alma.login] });
const create = (body: object) => owner.ok('POST', '/tickets', body);

const least = await create({ message: 'Where is my parcel?', requester: { mail: 'ann@far.test' } });
const most = await create({
  ...{ message: 'I was charged twice', subject: 'Invoice', requester: { mail: 'bob@far.test', name: 'Bob' } },
  ...{ assignee: { id: alma.login }, source: { type: 'chat-window', url: 'https://shop.test/help' }, group: [SALES] },
});

describe('POST /tickets', () => {
  it('POST /tickets accepts the required fields alone', async () => {
    expect(least).toMatchObject({
      ...{ id: expect.any(String), subject: '(no subject)', status: 'open', groups: [0], tags: [] },
      ...{ requester: { mail: 'ann@far.test', name: expect.any(String) }, source: { type: 'lc2' }, firstResponse: {} },
    });
    expect(least).not.toHaveProperty('assignee');
    expect(least.modified).toBeGreaterThanOrEqual(startedAt - 1);
    expect(least.modified).toBeLessThanOrEqual(nowSeconds() + 1);
    expect(least.opened).toEqual([{ from: expect.any(Number) }]);
    expect(least.events).toEqual([
      expect.objectContaining({
        ...{ type: 'message', message: 'Where is my parcel?', is_private: false, date: expect.any(Number) },
        ...{ author: { id: 'ann@far.test', name: expect.any(String), type: 'client' }, source: { type: 'lc2' } },
      }),
    ]);
  });

  it('POST /tickets accepts every field', async () => {
    expect(most).toMatchObject({
      ...{ subject: 'Invoice', requester: { mail: 'bob@far.test', name: 'Bob' }, groups: [SALES] },
      ...{ assignee: { id: alma.login, name: 'Alma' }, source: { type: 'chat-window', url: 'https://shop.test/help' } },
    });
    const assigned = most.events.find(({ type }: Json) => type === 'assignee_changed');
    expect(assigned).toMatchObject({ to: { id: alma.login }, author: { id: owner.login, type: 'agent' } });
    expect(
      (await create({ message: 'x', requester: { mail: 'c@far.test' }, source: { type: 'mail' } })).source,
    ).toEqual({
      type: 'mail',
    });
  });

  it.each([
    ['no message', { requester: { mail: 'ann@far.test' } }],
    ['no requester', { message: 'x' }],
    ['a requester without an address', { message: 'x', requester: { name: 'Ann' } }],
    ['an invalid address', { message: 'x', requester: { mail: 'ann' } }],
    ['an unknown source', { message: 'x', requester: { mail: 'a@far.test' }, source: { type: 'pigeon' } }],
    ['url without chat-window', { message: 'x', requester: { mail: 'a@far.test' }, source: { url: 'https://a.test' } }],
  ])('POST /tickets rejects %s', async (_, body) =>
    expectError(await owner.sendRequest('POST', '/tickets', body), 400),
  );

  it('POST /tickets rejects an unknown assignee or group', async () => {
    const body = { message: 'x', requester: { mail: 'a@far.test' } };
    const { total } = await owner.ok('GET', '/tickets');
    for (const wrong of [{ assignee: { id: 'nobody@shop.test' } }, { group: [4711] }])
      expect([400, 404]).toContain((await owner.sendRequest('POST', '/tickets', { ...body, ...wrong })).status);
    expect(await owner.ok('GET', '/tickets')).toMatchObject({ total });
  });
});

describe('GET /tickets/<TICKET_ID>', () => {
  it('GET /tickets/<TICKET_ID> returns one ticket', async () => {
    expect(await owner.ok('GET', `/tickets/${most.id}`)).toEqual(most);
    expectError(await owner.sendRequest('GET', '/tickets/NOSUCHTICKET'), 404);
  });

  it('GET /tickets/<TICKET_ID> returns the events of the ticket', async () => {
    const { id } = await create({ message: 'Old', requester: { mail: 'dan@far.test' } });
    await alma.v35.ok('assign_ticket', { ticket_id: id, assignee_id: alma.login });
    await alma.v35.ok('reply_to_ticket', { ticket_id: id, message: 'Looking' });
    await alma.v35.ok('add_ticket_note', { ticket_id: id, message: 'odd one' });
    await alma.v35.ok('update_ticket', { ticket_id: id, status: 'solved', subject: 'Renamed' });
    const ticket = await owner.ok('GET', `/tickets/${id}`);
    expect(ticket).toMatchObject({ status: 'solved', subject: 'Renamed', assignee: { id: alma.login, name: 'Alma' } });
    const author = { id: alma.login, name: 'Alma', type: 'agent' };
    const events: Json[] = ticket.events;
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'message', message: 'Looking', is_private: false, author }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'message', message: 'odd one', is_private: true, author }),
    );
    expect(events.find(({ type }) => type === 'assignee_changed')).toMatchObject({ author, date: expect.any(Number) });
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['status_changed', 'subject_changed']));
    expect(Object.keys(ticket.firstResponse)).not.toEqual([]);
  });
});

it('PUT /tickets/<TICKET_ID>/tags replaces the tags', async () => {
  const path = `/tickets/${least.id}/tags`;
  const { tickets, total, pages } = await owner.ok('PUT', path, { tag: ['parcel', 'late'] });
  expect([total, pages, tickets[0].id, tickets[0].tags]).toEqual([1, 1, least.id, ['parcel', 'late']]);
  expect((await owner.ok('PUT', path, { tag: ['late'] })).tickets[0].tags).toEqual(['late']);
  expectError(await owner.sendRequest('PUT', path, {}), 400);
});

describe('GET /tickets', () => {
  it('GET /tickets sorts by last modification in both orders', async () => {
    const { tickets, total, pages } = await owner.ok('GET', '/tickets');
    expect([tickets.length, pages]).toEqual([total, 1]);
    const changed = tickets.map(({ modified }: Json) => modified);
    expect(changed).toEqual(changed.toSorted((a: number, b: number) => b - a));
    const idsOf = (items: Json[]): string[] => items.map(({ id }) => id);
    expect(idsOf((await owner.ok('GET', '/tickets?order=desc')).tickets)).toEqual(idsOf(tickets));
    expect(idsOf((await owner.ok('GET', '/tickets?order=asc')).tickets)).toEqual(idsOf(tickets).toReversed());
  });

  it('GET /tickets applies each filter and each pair of filters', async () => {
    for (const status of ['pending', 'spam']) {
      const { id } = await create({ message: `is ${status}`, requester: { mail: 'bob@far.test' } });
      await owner.v35.ok('update_ticket', { ticket_id: id, status });
    }
    await owner.v35.ok('create_ticket', { message: 'by hand', requester: { mail: 'eve@far.test' } });
    const { tickets } = await owner.ok('GET', '/tickets');
    const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const mentions = ({ subject, events, requester }: Json, word: string): boolean =>
      [subject, requester.mail, requester.name, ...events.map(({ message }: Json) => message ?? '')].some((text) =>
        text.toLowerCase().includes(word),
      );
    const states = ['open', 'pending', 'solved', 'spam'];
    const sources = ['lc2', 'mail', 'socialnet', 'agent-app-manual', 'chat-window'];
    const filters: Filter[] = [
      [`date_from=${day(-1)}`, () => true],
      [`date_to=${day(1)}`, () => true],
      ['assigned=0', ({ assignee }) => !assignee],
      ['assigned=1', ({ assignee }) => Boolean(assignee)],
      ['order=asc', () => true],
      ...states.map((state): Filter => [`status=${state}`, ({ status }) => status === state]),
      [`assignee=${alma.login}`, ({ assignee }) => assignee?.id === alma.login],
      [`assignee=${owner.login}`, () => false],
      ['query=parcel', (ticket) => mentions(ticket, 'parcel')],
      ['query=bob', (ticket) => mentions(ticket, 'bob')],
      ['requester[mail]=bob@far.test', ({ requester }) => requester.mail === 'bob@far.test'],
      [`group=${SALES}`, ({ groups }) => groups.includes(SALES)],
      ['group=0', ({ groups }) => groups.includes(0)],
      ...sources.map((type): Filter => [`source=${type}`, ({ source }) => source.type === type]),
      ['tag=late', ({ tags }) => tags.includes('late')],
      ['tagged=1', ({ tags }) => tags.length > 0],
      ['tagged=0', ({ tags }) => tags.length === 0],
    ];
    await expectFilterPairs(owner, 'tickets', tickets, filters);
    expect(await owner.ok('GET', `/tickets?date_to=${day(-2)}`)).toEqual({ tickets: [], total: 0, pages: 0 });
    expectError(await owner.sendRequest('GET', '/tickets?status=lost'), 400);
  });

  it('the key of a normal agent grants access to the tickets of its groups', async () => {
    const bert = await shop.addAgent('Bert');
    expectError(await bert.sendRequest('GET', `/tickets/${most.id}`), 404);
    expect((await alma.sendRequest('GET', `/tickets/${most.id}`)).status).toBe(200);
  });
});
