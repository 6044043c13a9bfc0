import { describe, expect, it } from 'vitest';
import { expectError, type Json, newShop, nowSeconds } from './index.ts';
import { target } from './target.ts';

const startedAt = nowSeconds();
const shop = await newShop(target);
const { owner } = shop;
const { id: group } = await owner.ok('POST', '/groups', { name: 'Sales', agents: [owner.login] });
const result = { result: expect.stringMatching(/\S/) };

/** The time lies between the load of this file and now. */
const expectRecent = (seconds: number): void => {
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(startedAt - 1);
  expect(seconds).toBeLessThanOrEqual(nowSeconds() + 1);
};

describe('canned responses', async () => {
  const made = await owner.ok('POST', '/canned_responses', { text: 'Hello', tags: ['hi', 'hello'] });
  const ofGroup = await owner.ok('POST', '/canned_responses', { text: 'Buy', tags: ['buy'], group });
  const path = `/canned_responses/${made.id}`;

  it('POST /canned_responses creates a canned response', async () => {
    expect(made).toEqual({
      ...{ id: expect.any(Number), group: 0, text: 'Hello', tags: ['hi', 'hello'] },
      ...{ creation_date: expect.any(Number), created_by: owner.login },
    });
    expectRecent(made.creation_date);
    expect(ofGroup).toMatchObject({ group });
    expectError(await owner.sendRequest('POST', '/canned_responses', { tags: ['x'] }), 400);
    expectError(await owner.sendRequest('POST', '/canned_responses', { text: 'x' }), 400);
  });

  it('GET /canned_responses lists canned responses', async () => {
    expect(await owner.ok('GET', '/canned_responses')).toEqual([made]);
    expect(await owner.ok('GET', '/canned_responses?group=0')).toEqual([made]);
    expect(await owner.ok('GET', `/canned_responses?group=${group}`)).toEqual([ofGroup]);
  });

  it('GET /canned_responses/<CANNED_RESPONSE_ID> returns one canned response', async () => {
    expect(await owner.ok('GET', path)).toEqual(made);
    expectError(await owner.sendRequest('GET', '/canned_responses/4711'), 404);
  });

  it('PUT and POST /canned_responses/<CANNED_RESPONSE_ID> update a canned response', async () => {
    const changed = await owner.ok('PUT', path, { text: 'Good day' });
    expect(changed).toEqual({
      ...made,
      ...{ text: 'Good day', modification_date: expect.any(Number), modified_by: owner.login },
    });
    expectRecent(changed.modification_date);
    expect(await owner.ok('POST', path, { tags: ['day'] })).toMatchObject({ text: 'Good day', tags: ['day'] });
  });

  it('DELETE /canned_responses/<CANNED_RESPONSE_ID> deletes a canned response', async () => {
    expect(await owner.ok('DELETE', path)).toEqual(result);
    expectError(await owner.sendRequest('GET', path), 404);
  });
});

describe('goals', async () => {
  const variable = { type: 'custom_variable', custom_variable_name: 'plan', custom_variable_value: 'gold' };
  const inputs: Json[] = [
    { name: 'Variable', ...variable },
    { name: 'Page', type: 'url', url: '/thanks' },
    { name: 'Exact page', type: 'url', url: 'https://shop.test/thanks', match_type: 'exact' },
    { name: 'Called', type: 'api' },
    { name: 'Sale', type: 'sales_tracker', value_type: 'set', value: '10', currency: 'EUR' },
  ];
  const goals: Json[] = [];
  for (const input of inputs) goals.push(await owner.ok('POST', '/goals', input));
  const [first, page, , called, tracker] = goals as [Json, Json, Json, Json, Json];

  it('POST /goals creates goals of each type', async () => {
    for (const [at, input] of inputs.entries())
      expect(goals[at]).toMatchObject({ ...input, id: expect.any(Number), active: 1 });
    expect(page).toMatchObject({ match_type: 'substring' });
    expect(called).toEqual({ id: called.id, name: 'Called', active: 1, type: 'api' });
    expect(Object.keys(tracker)).toEqual(
      expect.arrayContaining([
        ...['sales_tracker_id', 'value_type', 'value', 'currency', 'time_range', 'order_field_name'],
        'value_field_name',
      ]),
    );
  });

  it.each([
    ['no name', { type: 'api' }],
    ['no type', { name: 'X' }],
    ['an unknown type', { name: 'X', type: 'luck' }],
    ['a custom variable without its name', { name: 'X', type: 'custom_variable', custom_variable_value: 'x' }],
    ['a custom variable without its value', { name: 'X', type: 'custom_variable', custom_variable_name: 'x' }],
    ['a page without its URL', { name: 'X', type: 'url' }],
  ])('POST /goals rejects %s', async (_, body) => expectError(await owner.sendRequest('POST', '/goals', body), 400));

  it('GET /goals lists goals', async () => {
    const short = goals.map(({ id, name, active, type }) => ({ id, name, active, type }));
    const listed = await owner.ok('GET', '/goals');
    expect(listed).toHaveLength(short.length);
    expect(listed).toEqual(expect.arrayContaining(short));
    for (const type of ['custom_variable', 'url', 'api', 'sales_tracker'])
      expect(await owner.ok('GET', `/goals?type=${type}`)).toEqual(short.filter((one) => one.type === type));
  });

  it('GET /goals/<GOAL_ID> returns one goal', async () => {
    for (const goal of goals) expect(await owner.ok('GET', `/goals/${goal.id}`)).toEqual(goal);
    expectError(await owner.sendRequest('GET', '/goals/4711'), 404);
  });

  it('POST /goals/<GOAL_ID>/mark_as_successful records an achieved goal', async () => {
    const visitor = await shop.customer();
    const { thread_id, chat_id } = await visitor.ok('start_chat', { continuous: true });
    const order = { order_id: 'A1', order_description: 'Shoes', order_price: '24.99', order_currency: 'EUR' };
    const path = `/goals/${called.id}/mark_as_successful`;
    expect(await owner.ok('POST', path, { visitor_id: visitor.id, ...order })).toEqual(result);
    await visitor.ok('deactivate_chat', { id: chat_id });
    const chat = await owner.ok('GET', `/chats/${thread_id}`);
    expect(chat.goals).toEqual([
      {
        ...{ id: called.id, name: 'Called', type: 'api', date: expect.any(String), timestamp: expect.any(Number) },
        order: { id: 'A1', description: 'Shoes', price: expect.stringMatching(/^24\.99/), currency: 'EUR' },
      },
    ]);
    expect(await owner.ok('GET', '/chats?has_sale=1')).toMatchObject({ total: 1 });
    expectError(await owner.sendRequest('POST', path, {}), 400);
    expectError(await owner.sendRequest('POST', path, { visitor_id: visitor.id, order_price: '24,99' }), 400);
  });

  it('PUT /goals/<GOAL_ID> updates a goal, and active 0 pauses it', async () => {
    const path = `/goals/${first.id}`;
    expect(await owner.ok('PUT', path, { active: 0 })).toEqual({ ...first, active: 0 });
    expect(await owner.ok('PUT', path, { name: 'Gold', custom_variable_value: 'gold+' })).toEqual({
      ...first,
      ...{ active: 0, name: 'Gold', custom_variable_value: 'gold+' },
    });
    const turned = await owner.ok('PUT', path, { type: 'url', url: '/gold', active: 1 });
    expect(turned).toEqual({
      id: first.id,
      name: 'Gold',
      active: 1,
      type: 'url',
      url: '/gold',
      match_type: 'substring',
    });
  });

  it('DELETE /goals/<GOAL_ID> deletes a goal', async () => {
    expect(await owner.ok('DELETE', `/goals/${first.id}`)).toEqual(result);
    expectError(await owner.sendRequest('GET', `/goals/${first.id}`), 404);
  });
});

describe('greetings', async () => {
  const numbers = ['visit_time_site', 'visit_time_page', 'pages_view_number', 'visits_number'];
  const texts = ['url_current', 'url_visited', 'url_referrer', 'geolocation', 'search_keyword'];
  const operators = ['doesnt_equal', 'lower_than', 'lower_or_equal', 'greater_than', 'greater_or_equal'];
  const rules: Json[] = [
    ...numbers.map((type, at) => ({ type, value: '10', operator: operators[at] })),
    ...texts.map((type, at) => ({ type, value: 'shoes', operator: ['contains', 'doesnt_contain'][at % 2] })),
    { type: 'custom_variable', variable_name: 'plan', variable_value: 'gold' },
    { type: 'url_funnel', urls: [{ url: '/a', operator: 'contains' }, { url: '/b' }] },
  ];
  const made = await owner.ok('POST', '/greetings', { name: 'Welcome', rules });
  const ofGroup = await owner.ok('POST', '/greetings', { name: 'Sales', rules: [rules[0]], group });
  const path = `/greetings/${made.id}`;

  it('POST /greetings accepts every type of rule', async () => {
    expect(made).toMatchObject({
      ...{ id: expect.any(Number), active: true, name: 'Welcome' },
      properties: { active: expect.any(String), 'greeting-message_text': expect.any(String) },
    });
    for (const [at, rule] of rules.slice(0, -1).entries())
      expect(made.rules[at]).toMatchObject({ ...rule, id: expect.anything(), condition: 'and' });
    expect(made.rules.at(-1)).toMatchObject({
      ...{ type: 'url_funnel', condition: 'and' },
      urls: [
        { url: '/a', operator: 'contains' },
        { url: '/b', operator: 'equals' },
      ],
    });
    const plain = await owner.ok('POST', '/greetings', { name: 'P', rules: [{ type: 'url_current', value: '/' }] });
    expect(plain.rules[0]).toMatchObject({ operator: 'equals' });
    await owner.ok('DELETE', `/greetings/${plain.id}`);
    expectError(await owner.sendRequest('POST', '/greetings', { rules }), 400);
    expectError(await owner.sendRequest('POST', '/greetings', { name: 'X' }), 400);
    expectError(
      await owner.sendRequest('POST', '/greetings', { name: 'X', rules: [{ type: 'mood', value: '1' }] }),
      400,
    );
  });

  it('GET /greetings lists greetings', async () => {
    expect(await owner.ok('GET', '/greetings')).toEqual(expect.arrayContaining([made, ofGroup]));
    expect(await owner.ok('GET', '/greetings?group=0')).toEqual([made]);
    expect(await owner.ok('GET', `/greetings?group=${group}`)).toEqual([ofGroup]);
  });

  it('GET /greetings/<GREETING_ID> returns one greeting', async () => {
    expect(await owner.ok('GET', path)).toEqual(made);
    expectError(await owner.sendRequest('GET', '/greetings/4711'), 404);
  });

  it('PUT /greetings/<GREETING_ID> updates a greeting', async () => {
    expect(await owner.ok('PUT', path, { name: 'Hi' })).toEqual({ ...made, name: 'Hi' });
    const spoken = await owner.ok('PUT', path, { properties: { 'greeting-message_text': 'Can I help?' } });
    expect(spoken.properties['greeting-message_text']).toBe('Can I help?');
    const replaced = await owner.ok('PUT', path, { rules: [rules[1]] });
    expect(replaced.rules).toMatchObject([rules[1]]);
    expect(await owner.ok('PUT', path, { active: 0 })).toMatchObject({ active: false, name: 'Hi' });
    expect(await owner.ok('PUT', path, { active: 1 })).toMatchObject({ active: true, rules: [rules[1]] });
  });

  it('DELETE /greetings/<GREETING_ID> deletes a greeting', async () => {
    expect(await owner.ok('DELETE', path)).toEqual({ ok: true });
    expectError(await owner.sendRequest('GET', path), 404);
  });
});

describe('tags', async () => {
  const made = await owner.ok('POST', '/tags', { author: owner.login, tag: 'sale', group: 0 });

  it('POST /tags creates a tag', async () => {
    expect(made).toEqual({
      ...{ name: 'sale', author: owner.login, creation_date: expect.any(Number), group: 0 },
      count: { inChats: 0, inTickets: 0 },
    });
    expectRecent(made.creation_date);
    for (const missing of ['author', 'tag', 'group']) {
      const body = { author: owner.login, tag: 'x', group: 0, [missing]: undefined };
      expectError(await owner.sendRequest('POST', '/tags', body), 400);
    }
  });

  it('GET /tags counts the uses of each tag in chats and tickets', async () => {
    const visitor = await shop.customer();
    const { chat_id, thread_id } = await visitor.ok('start_chat', { continuous: true });
    await visitor.ok('deactivate_chat', { id: chat_id });
    await owner.ok('PUT', `/chats/${thread_id}/tags`, { tag: ['sale'] });
    const ticket = await owner.ok('POST', '/tickets', { message: 'x', requester: { mail: 'a@far.test' } });
    await owner.ok('PUT', `/tickets/${ticket.id}/tags`, { tag: ['sale'] });
    const tags = await owner.ok('GET', '/tags?group=0');
    expect(tags.find(({ name }: Json) => name === 'sale')).toEqual({ ...made, count: { inChats: 1, inTickets: 1 } });
    expect(await owner.ok('GET', `/tags?group=${group}`)).toEqual([]);
    const ofGroup = await owner.ok('POST', '/tags', { author: owner.login, tag: 'group only', group });
    expect(await owner.ok('GET', `/tags?group=${group}`)).toEqual([ofGroup]);
    const names = (await owner.ok('GET', '/tags')).map(({ name }: Json) => name);
    expect(names).toEqual(expect.arrayContaining(['sale', 'group only']));
  });

  it('DELETE /tags/<TAG> deletes a tag', async () => {
    expectError(await owner.sendRequest('DELETE', '/tags/sale'), 400);
    expect(await owner.ok('DELETE', '/tags/sale?group=0')).toEqual({ ok: true });
    expectError(await owner.sendRequest('DELETE', '/tags/sale?group=0'), 404);
    expect(await owner.ok('DELETE', '/tags/group%20only', { group })).toEqual({ ok: true });
  });
});
