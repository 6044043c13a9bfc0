import { describe, expect, it } from 'vitest';
import { message } from '../customer/call.ts';
import { expectFilterPairs, type Filter } from './filter-pairs.ts';
import { DATE_TEXT, expectError, type Json, newShop, type RestAgent } from './index.ts';
import { mailbox, target } from './target.ts';

const shop = await newShop(target);
const { owner } = shop;
const alma = await shop.addAgent('Alma');
const supervisor = await shop.addAgent('Sue', { permission: 'administrator' });
const { id: SALES } = await owner.ok('POST', '/groups', { name: 'Sales', agents: [alma.login] });
const goal = await owner.ok('POST', '/goals', { name: 'Bought', type: 'api' });
const tracker = await owner.ok('POST', '/goals', { name: 'Sold', type: 'sales_tracker', sales_tracker_id: 'till' });

const join = ({ v35 }: RestAgent, chat_id: string, visibility = 'all') =>
  v35.ok('add_user_to_chat', { chat_id, user_id: v35.id, user_type: 'agent', visibility });
const say = ({ v35 }: RestAgent, chat_id: string, text: string, more: object = {}) =>
  v35.ok('send_event', { chat_id, event: message(text, more) });

interface Plan {
  text?: string;
  group?: number;
  answer?: string;
  rating?: object;
  tags?: string[];
  goal?: [id: number, order?: object];
  open?: boolean;
}

const createArchivedChat = async (plan: Plan = {}) => {
  const visitor = await shop.customer();
  await visitor.ok('update_customer', { name: 'Ann Archer', email: 'ann@far.test' });
  const { chat_id, thread_id } = await visitor.ok('start_chat', {
    continuous: true,
    chat: {
      ...(plan.group === undefined ? {} : { access: { group_ids: [plan.group] } }),
      thread: { events: [message(plan.text ?? 'Hello?')] },
    },
  });
  if (plan.answer) {
    await join(alma, chat_id);
    await say(alma, chat_id, plan.answer);
  }
  if (plan.goal) {
    const [id, order = {}] = plan.goal;
    await owner.ok('POST', `/goals/${id}/mark_as_successful`, { visitor_id: visitor.id, ...order });
  }
  if (!plan.open) await visitor.ok('deactivate_chat', { id: chat_id });
  if (plan.rating)
    await visitor.ok('update_thread_properties', { chat_id, thread_id, properties: { rating: plan.rating } });
  if (plan.tags) await owner.ok('PUT', `/chats/${thread_id}/tags`, { tag: plan.tags });
  return { id: thread_id as string, chat_id: chat_id as string, visitor };
};

/** A chat that waits in the queue until the only agent has finished another one. */
const createQueuedChat = async (): Promise<string> => {
  await owner.ok('PUT', `/agents/${alma.login}`, { status: 'accepting chats', max_chats_count: 1 });
  const [first, second] = [await shop.customer(), await shop.customer()];
  const chat = { access: { group_ids: [SALES] } };
  const { chat_id } = await first.ok('start_chat', { chat });
  const waiting = await second.ok('start_chat', { chat });
  await first.ok('deactivate_chat', { id: chat_id });
  await owner.ok('PUT', `/agents/${alma.login}`, { status: 'offline' });
  const joined = async (): Promise<boolean> => (await owner.ok('GET', `/chats/${waiting.thread_id}`)).agents.length > 0;
  if (!(await joined())) await join(alma, waiting.chat_id);
  await second.ok('deactivate_chat', { id: waiting.chat_id });
  return waiting.thread_id;
};

const rich = await createArchivedChat({
  ...{ text: 'Where is my parcel?', answer: 'On its way', group: SALES, tags: ['sale', 'parcel'] },
  ...{
    rating: { score: 1, comment: 'Quick' },
    goal: [goal.id, { order_id: 'A1', order_price: '9.50', order_currency: 'EUR' }],
  },
});
const plain = await createArchivedChat();
await createArchivedChat({ answer: 'No parcel here', rating: { score: 0 }, tags: ['sale'] });
await createArchivedChat({ group: SALES, goal: [goal.id] });
await createArchivedChat({
  answer: 'Sold',
  goal: [tracker.id, { order_id: 'T1', order_price: '5', order_currency: 'USD' }],
});
const pending = await createArchivedChat({ text: 'Anybody there?', open: true });
const fromQueue = await createQueuedChat();

const dates = { started: expect.stringMatching(DATE_TEXT), ended: expect.stringMatching(DATE_TEXT) };
const times = { started_timestamp: expect.any(Number), ended_timestamp: expect.any(Number) };

describe('GET /chats/<CHAT_ID>', () => {
  it('GET /chats/<CHAT_ID> returns the whole chat', async () => {
    const chat = await owner.ok('GET', `/chats/${rich.id}`);
    expect(chat).toMatchObject({
      ...{ type: 'chat', id: rich.id, rate: 'rated_good', group: [SALES], tags: ['sale', 'parcel'], pending: false },
      ...{ visitor: { id: rich.visitor.id, name: 'Ann Archer', ip: expect.any(String) }, supervisors: [] },
      ...{ agents: [{ display_name: 'Alma', email: alma.login }], prechat_survey: [], postchat_survey: [] },
      ...{ duration: expect.any(Number), timezone: expect.any(String) },
      ...{ ...dates, ...times, engagement: 'immediate_start' },
      goals: [
        {
          ...{ id: goal.id, name: 'Bought', type: 'api', timestamp: expect.any(Number) },
          ...{ date: expect.stringMatching(DATE_TEXT), order: { id: 'A1', price: '9.50', currency: 'EUR' } },
        },
      ],
    });
    // Each timestamp is truncated to whole seconds separately.
    expect(Math.abs(chat.ended_timestamp - chat.started_timestamp - chat.duration)).toBeLessThanOrEqual(1);
    const said = { date: expect.stringMatching(DATE_TEXT), timestamp: expect.any(Number) };
    expect(chat.messages).toEqual([
      { ...said, author_name: 'Ann Archer', text: 'Where is my parcel?', user_type: 'visitor' },
      { ...said, author_name: 'Alma', text: 'On its way', user_type: 'agent', agent_id: alma.login },
    ]);
    const spoken = chat.events.filter(({ type }: Json) => type === 'message');
    expect(spoken).toEqual(chat.messages.map((one: Json) => ({ ...one, type: 'message' })));
    expect(chat.events).toContainEqual(
      expect.objectContaining({ type: 'event', event_type: 'closed', user_type: 'visitor' }),
    );
  });

  it('GET /chats/<CHAT_ID> omits fields without a value', async () => {
    const chat = await owner.ok('GET', `/chats/${plain.id}`);
    for (const absent of ['goals', 'queue', 'referrer', 'custom_variables', 'integration_variables'])
      expect(chat).not.toHaveProperty(absent);
    expect((await owner.ok('GET', `/chats/${fromQueue}`)).queue).toEqual({ duration: expect.any(Number) });
    expect(await owner.ok('GET', `/chats/${pending.id}`)).toMatchObject({ pending: true });
  });

  it('GET /chats/<CHAT_ID> returns files, custom variables and supervisors', async () => {
    const visitor = await shop.customer();
    await visitor.ok('set_customer_session_fields', { session_fields: [{ plan: 'gold' }] });
    const { chat_id, thread_id } = await visitor.ok('start_chat', { continuous: true });
    const { url } = (await visitor.upload('hello', 'note.txt')).body;
    await visitor.ok('send_event', { chat_id, event: { type: 'file', url } });
    await join(supervisor, chat_id, 'agents');
    await say(supervisor, chat_id, 'a secret note', { visibility: 'agents' });
    await visitor.ok('deactivate_chat', { id: chat_id });
    const chat = await owner.ok('GET', `/chats/${thread_id}`);
    expect(chat.custom_variables).toEqual([{ key: 'plan', value: 'gold' }]);
    expect(chat.supervisors).toEqual([{ display_name: 'Sue', email: supervisor.login }]);
    expect(JSON.stringify(chat.messages)).not.toContain('a secret note');
    const attachment = chat.events.find(({ type }: Json) => type === 'attachment');
    expect(attachment).toMatchObject({ user_type: 'visitor', files: [{ name: 'note.txt' }] });
  });

  it('GET /chats/<CHAT_ID> returns 404 for an unknown chat', async () =>
    expectError(await owner.sendRequest('GET', '/chats/NOSUCHCHAT'), 404));
});

describe('GET /chats', () => {
  it('GET /chats lists the newest first and ongoing chats only on request', async () => {
    const { chats, total, pages } = await owner.ok('GET', '/chats');
    expect([total, pages]).toEqual([chats.length, 1]);
    const starts = chats.map(({ started_timestamp }: Json) => started_timestamp);
    expect(starts).toEqual(starts.toSorted((a: number, b: number) => b - a));
    const ids = chats.map(({ id }: Json) => id);
    expect(ids).not.toContain(pending.id);
    const more = await owner.ok('GET', '/chats?include_pending=1');
    expect(more.chats.map(({ id }: Json) => id).toSorted()).toEqual([...ids, pending.id].toSorted());
  });

  it('GET /chats applies each filter and each pair of filters', async () => {
    const { chats } = await owner.ok('GET', '/chats?timezone=UTC');
    const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const dayOf = ({ started_timestamp }: Json): string =>
      new Date(started_timestamp * 1000).toISOString().slice(0, 10);
    const has = (chat: Json, id: number): boolean => chat.goals?.some((one: Json) => one.id === id) ?? false;
    const sold = (chat: Json): boolean => chat.goals?.some((one: Json) => one.order) ?? false;
    const filters: Filter[] = [
      [`date_from=${day(0)}`, (chat) => dayOf(chat) >= day(0)],
      [`date_from=${day(-40)}`, () => true],
      [`date_to=${day(0)}`, (chat) => dayOf(chat) <= day(0)],
      [`date_to=${day(1)}`, () => true],
      ['timezone=UTC', () => true],
      [`visitor_id=${rich.visitor.id}`, ({ visitor }) => visitor.id === rich.visitor.id],
      ['query=parcel', ({ messages }) => messages.some(({ text }: Json) => text.includes('parcel'))],
      ['query=archer', ({ visitor }) => visitor.name === 'Ann Archer'],
      [`agent=${alma.login}`, ({ agents }) => agents.some(({ email }: Json) => email === alma.login)],
      [`agent=${owner.login}`, () => false],
      [`group=${SALES}`, ({ group }) => group.includes(SALES)],
      ['group=0', ({ group }) => group.includes(0)],
      [`goal=${goal.id}`, (chat) => has(chat, goal.id)],
      ['has_goal=1', (chat) => Boolean(chat.goals)],
      ['has_goal=0', (chat) => !chat.goals],
      ['sale=till', (chat) => has(chat, tracker.id)],
      ['has_sale=1', sold],
      ['has_sale=0', (chat) => !sold(chat)],
      ['queued=1', ({ queue }) => Boolean(queue)],
      ['queued=0', ({ queue }) => !queue],
      ['rate=rated', ({ rate }) => rate !== 'not_rated'],
      ...['not_rated', 'rated_good', 'rated_bad'].map(
        (rated): Filter => [`rate=${rated}`, ({ rate }) => rate === rated],
      ),
      ['tag[]=sale', ({ tags }) => tags.includes('sale')],
      ['tag[]=sale&tag[]=parcel', ({ tags }) => tags.includes('sale') && tags.includes('parcel')],
      ['tagged=1', ({ tags }) => tags.length > 0],
      ['tagged=0', ({ tags }) => tags.length === 0],
      ['comment=1', ({ id }) => id === rich.id],
      ['comment=0', ({ id }) => id !== rich.id],
      ['city=Krak%C3%B3w', ({ visitor }) => visitor.city === 'Kraków'],
      ['region=Oslo', ({ visitor }) => visitor.region === 'Oslo'],
      ['country=Poland', ({ visitor }) => visitor.country === 'Poland'],
      ...['chat', 'missed_chat'].map((kind): Filter => [`type=${kind}`, ({ type }) => type === kind]),
    ];
    await expectFilterPairs(owner, 'chats', chats, filters);
    expect(await owner.ok('GET', `/chats?date_to=${day(-2)}`)).toEqual({ chats: [], total: 0, pages: 0 });
    expectError(await owner.sendRequest('GET', `/chats?date_from=${day(0)}&date_to=${day(-2)}`), 400);
  });

  it('GET /chats interprets dates in the requested time zone', async () => {
    const [inUtc, inTokyo] = [
      await owner.ok('GET', `/chats/${rich.id}?timezone=UTC`),
      (await owner.ok('GET', `/chats?timezone=Asia/Tokyo&visitor_id=${rich.visitor.id}`)).chats[0],
    ];
    expect([inUtc.timezone, inTokyo.timezone]).toEqual(['UTC', 'Asia/Tokyo']);
    expect(inTokyo.started).not.toBe(inUtc.started);
    expect(inTokyo.started_timestamp).toBe(inUtc.started_timestamp);
  });
});

describe('changes to an archived chat', () => {
  it('POST /chats/<CHAT_ID>/send_transcript emails the transcript', async () => {
    const path = `/chats/${rich.id}/send_transcript`;
    const to = `reader-${crypto.randomUUID()}@far.test`;
    expect(await owner.ok('POST', path, { to })).toEqual({ result: expect.stringMatching(/\S/) });
    if (!process.env.PARLEY_URL) {
      const mail = await mailbox.mailTo(to);
      expect(mail).toContain('text/html');
      expect(mail).toContain('Where is my parcel?');
    }
    expectError(await owner.sendRequest('POST', path, {}), 400);
    expectError(await owner.sendRequest('POST', path, { to: 'nobody' }), 400);
  });

  it('PUT /chats/<CHAT_ID>/tags replaces the tags', async () => {
    const path = `/chats/${plain.id}/tags`;
    const { chats, total, pages } = await owner.ok('PUT', path, { tag: ['a', 'b'] });
    expect([total, pages]).toEqual([1, 1]);
    expect(chats).toMatchObject([{ id: plain.id, tags: ['a', 'b'], ...times }]);
    expect((await owner.ok('GET', '/chats?tag[]=a')).chats).toMatchObject([{ id: plain.id }]);
    expectError(await owner.sendRequest('PUT', path, {}), 400);
  });
});
