import { describe, expect, it } from 'vitest';
import { type CustomerUpdate, updateCustomer } from '#server/domain/support/customers/update-customer.ts';
import { createGoal } from '#server/domain/support/goals/manage-goals.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { joinChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
} from '#server/testing/builders/factories.ts';
import {
  answer,
  arrangeChat,
  asConsoleAgent,
  asCustomer,
  headersOf,
  reader,
  say,
} from '../../testing/builders/archive.ts';

const test = useTestApp();

const send = async (agent: TestAgent, method: 'POST' | 'PUT', url: string, body: string | object) => {
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  const headers = { ...headersOf(agent), 'content-type': type };
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await test.app.inject({ method, url, headers, payload });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};

const mailsTo = async (address: string) => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === address);
};

describe('a transcript', () => {
  it('is emailed as text and HTML, escaped and without notes', async () => {
    const organization = await buildOrganization(test);
    const { chatId, threadId, customerId } = await arrangeChat(test, organization, {
      events: [say('<b>Hi</b>\nthere')],
    });
    const name = 'Eve\r\nBcc: all@home.test <script>';
    await organization.scope.update('customers').where('id', '=', customerId).set({ name }).execute();
    await answer(test, organization, chatId, say('Good morning & welcome'));
    await answer(test, organization, chatId, say('A difficult one', 'agents'));
    const url = `/chats/${threadId}/send_transcript`;
    const { status, body } = await send(organization.owner, 'POST', url, 'to=reader%40home.test');
    expect([status, body]).toEqual([200, { result: 'E-mail has been sent to reader@home.test.' }]);
    const [sent, other] = await mailsTo('reader@home.test');
    expect(other).toBeUndefined();
    const { subject, text, html } = sent!.mail;
    expect(subject).toBe('Chat transcript, 2026-03-02');
    expect(text).toContain('<b>Hi</b>\nthere');
    expect(text).toContain('Olga Owner:\nGood morning & welcome');
    expect(html).toContain('&lt;b&gt;Hi&lt;/b&gt;<br>there');
    expect(html).toContain('Good morning &amp; welcome');
    expect(html).not.toContain('<script>');
    expect(`${text}${html}`).not.toContain('difficult');
  });

  it('is rate limited per hour, even with concurrent requests', async () => {
    const organization = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, organization, { seconds: 1 });
    const url = `/chats/${threadId}/send_transcript`;
    const ask = (to: string) => send(organization.owner, 'POST', url, { to });
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('Often@home.test')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
    expect(await mailsTo('Often@home.test')).toHaveLength(5);
    test.clock.advance(3600_000);
    expect((await ask('often@home.test')).status).toBe(200);
  });

  it('goes to at most 20 addresses per hour that are neither the customer’s nor an agent’s', async () => {
    const organization = await buildOrganization(test);
    const { threadId, customerId } = await arrangeChat(test, organization, { seconds: 1 });
    await send(organization.owner, 'POST', '/v3.5/agent/action/update_customer', {
      ...{ id: customerId, email: 'Customer@home.test' },
    });
    const url = `/chats/${threadId}/send_transcript`;
    const ask = async (to: string) => (await send(organization.owner, 'POST', url, { to })).status;
    for (let number = 0; number < 20; number++) expect(await ask(`stranger-${number}@home.test`)).toBe(200);
    expect(await ask('stranger-20@home.test')).toBe(429);
    expect(await ask('customer@home.test')).toBe(200);
    expect(await ask(organization.owner.login)).toBe(200);
    test.clock.advance(3600_000);
    expect(await ask('stranger-20@home.test')).toBe(200);
  });

  it('is limited to 100 per hour and account', async () => {
    const organization = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, organization, { seconds: 1 });
    const url = `/chats/${threadId}/send_transcript`;
    const ask = async (to: string) => (await send(organization.owner, 'POST', url, { to })).status;
    for (let agent = 0; agent < 20; agent++) {
      const { login } = await buildAgent(organization);
      for (let mail = 0; mail < 5; mail++) expect(await ask(login)).toBe(200);
    }
    expect(await ask(organization.owner.login)).toBe(429);
  });

  it('requires an email address and a chat that the agent may see', async () => {
    const organization = await buildOrganization(test);
    await buildGroup(organization, 1);
    const { threadId } = await arrangeChat(test, organization, { groupIds: [1], seconds: 1 });
    const agent = await asConsoleAgent(organization, await buildAgent(organization));
    const other = await buildOrganization(test);
    const url = `/chats/${threadId}/send_transcript`;
    for (const to of ['', 'nobody', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test', '""@x.test', 'a b@x.test'])
      expect([to, (await send(organization.owner, 'POST', url, { to })).status]).toEqual([to, 400]);
    expect((await send(organization.owner, 'POST', url, {})).status).toBe(400);
    expect((await send(agent, 'POST', url, { to: 'a@b.test' })).status).toBe(404);
    expect((await send(other.owner, 'POST', url, { to: 'a@b.test' })).status).toBe(404);
  });
});

describe('tags', () => {
  it('are replaced, are searchable immediately, and can be removed', async () => {
    const organization = await buildOrganization(test);
    const { threadId } = await arrangeChat(test, organization, { tags: ['old'], seconds: 1 });
    const url = `/chats/${threadId}/tags`;
    const read = reader(test, organization.owner);
    const found = async (tag: string) => (await read(`/chats?tag[]=${tag}`)).body.total;
    expect(await found('old')).toBe(1);
    const { status, body } = await send(organization.owner, 'PUT', url, 'tag[0]=new&tag[1]=sale&tag[2]=new');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 1, pages: 1, chats: [{ id: threadId, tags: ['new', 'sale'] }] });
    expect([await found('old'), await found('new')]).toEqual([0, 1]);
    expect((await send(organization.owner, 'PUT', url, 'tag[]=')).body.chats[0].tags).toEqual([]);
    expect((await send(organization.owner, 'PUT', url, { tag: ['back'] })).body.chats[0].tags).toEqual(['back']);
    expect((await send(organization.owner, 'PUT', url, { tag: [] })).body.chats[0].tags).toEqual([]);
    expect((await read('/chats?tagged=1')).body.total).toBe(0);
  });

  it('can be set by all agents who see the chat, even concurrently', async () => {
    const organization = await buildOrganization(test);
    await buildGroup(organization, 1);
    const { threadId } = await arrangeChat(test, organization, { groupIds: [1], seconds: 1 });
    const url = `/chats/${threadId}/tags`;
    const inGroup = await buildAgent(organization, { groupIds: [1] });
    const outside = await asConsoleAgent(organization, await buildAgent(organization));
    const other = await buildOrganization(test);
    expect((await send(outside, 'PUT', url, { tag: ['x'] })).status).toBe(404);
    expect((await send(other.owner, 'PUT', url, { tag: ['x'] })).status).toBe(404);
    const both = [['a', 'b'], ['c']];
    await Promise.all(both.map((tag) => send(inGroup, 'PUT', url, { tag })));
    expect(both).toContainEqual((await reader(test, inGroup)(`/chats/${threadId}`)).body.tags);
    for (const body of [{}, { tag: 'x'.repeat(201) }, { tag: Array.from({ length: 101 }, (_, n) => `${n}`) }])
      expect((await send(inGroup, 'PUT', url, body)).status).toBe(400);
  });
});

describe('an archived chat with all data', () => {
  it('contains the visitor, goals, queue time, supervisors and notes', async () => {
    const organization = await buildOrganization(test, { online: false });
    const { scope } = organization;
    const customer = await buildCustomer(organization);
    const place = { city: 'Oslo', region: 'Oslo', country: 'Norway', countryCode: 'NO', timezone: 'Europe/Oslo' };
    const visit = await scope
      .update('visits')
      .where('customerId', '=', customer.id)
      .set({ ip: '192.0.2.7', userAgent: 'Browser/1', referrer: 'https://search.test/', place: JSON.stringify(place) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const page = { visitId: visit.id, number: 1, url: 'https://shop.test/a', title: null, openedAt: test.clock.now() };
    await scope.insert('visitPages', page).execute();
    const sessionFields = JSON.stringify([{ plan: 'gold' }, { age: '3' }]);
    await scope.update('customers').where('id', '=', customer.id).set({ sessionFields }).execute();
    const { chatId, threadId } = await arrangeChat(test, organization, {
      customerId: customer.id,
      events: [say('Hello')],
    });
    test.clock.advance(12_000);
    await answer(test, organization, chatId, say('Good morning'));
    const boss = await buildAgent(organization, { permission: 'administrator', name: 'Silent Sue' });
    await joinChat(organization, boss, chatId, 'agents');
    const note = { type: 'message', text: 'Offer a discount', visibility: 'agents' };
    const headers = { authorization: boss.basic };
    const url = '/v3.5/agent/action/send_event';
    await test.app.inject({ method: 'POST', url, headers, payload: { chat_id: chatId, event: note } });
    const goal = await createGoal(scope, { name: 'Bought', condition: { type: 'api' } });
    const sale = JSON.stringify({ orderId: 'A-1', description: 'Shoes', price: '9.90', currency: 'EUR' });
    const hit = { visitId: visit.id, goalId: goal.id, customerId: customer.id, groupId: 0, threadId, sale };
    await scope.insert('goalHits', { ...hit, reachedAt: test.clock.now() }).execute();
    const { body } = await reader(test, organization.owner)(`/chats/${threadId}`);
    expect(body).toMatchObject({
      type: 'chat',
      visitor: {
        ...{ id: customer.id, name: 'Client', ip: '192.0.2.7', user_agent: 'Browser/1', timezone: 'Europe/Oslo' },
        ...{ city: 'Oslo', region: 'Oslo', country: 'Norway', country_code: 'NO' },
      },
      agents: [{ display_name: 'Olga Owner', email: organization.owner.login }],
      supervisors: [{ display_name: 'Silent Sue', email: boss.login }],
      chat_start_url: 'https://shop.test/a',
      referrer: 'https://search.test/',
      custom_variables: [
        { key: 'plan', value: 'gold' },
        { key: 'age', value: '3' },
      ],
      goals: [
        {
          ...{ id: goal.id, name: 'Bought', type: 'api', timestamp: Math.floor(test.clock.now().getTime() / 1000) },
          order: { id: 'A-1', description: 'Shoes', price: '9.90', currency: 'EUR' },
        },
      ],
      queue: { duration: 12 },
      engagement: 'immediate_start',
      messages: [{ text: 'Hello' }, { text: 'Good morning', user_type: 'agent' }],
    });
    expect(body.events).toContainEqual(
      expect.objectContaining({
        ...{ type: 'event', event_type: 'private_note', text: 'Offer a discount' },
        ...{ user_type: 'supervisor', author_name: 'Silent Sue' },
      }),
    );
    expect(JSON.stringify(body.messages)).not.toContain('discount');
  });

  it('keeps its custom variables but shows the visitor’s current name', async () => {
    const organization = await buildOrganization(test);
    const { id } = await buildCustomer(organization);
    const set = (changes: CustomerUpdate) => updateCustomer(asCustomer(test, organization, id), changes);
    await set({ name: 'Before', sessionFields: [{ plan: 'gold' }] });
    const { threadId } = await arrangeChat(test, organization, { customerId: id, events: [say('Hi')], seconds: 1 });
    const read = reader(test, organization.owner);
    expect((await read('/chats?query=before')).body.total).toBe(1);
    await set({ name: 'Afterwards', sessionFields: [] });
    expect((await read(`/chats/${threadId}`)).body).toMatchObject({
      visitor: { name: 'Afterwards' },
      custom_variables: [{ key: 'plan', value: 'gold' }],
    });
    expect((await read('/chats?query=before')).body.total).toBe(0);
    expect((await read('/chats?query=afterw')).body.total).toBe(1);
  });

  it('is found by messages sent after its end', async () => {
    const organization = await buildOrganization(test);
    const { chatId } = await arrangeChat(test, organization, { seconds: 1 });
    const read = reader(test, organization.owner);
    expect((await read('/chats?query=postscript')).body.total).toBe(0);
    const headers = { authorization: organization.owner.basic };
    const event = { type: 'message', text: 'A postscript' };
    const payload = { chat_id: chatId, event, attach_to_last_thread: true };
    await test.app.inject({ method: 'POST', url: '/v3.5/agent/action/send_event', headers, payload });
    expect((await read('/chats?query=postscript')).body.total).toBe(1);
    expect((await read(`/chats?agent=${organization.owner.login}`)).body.total).toBe(1);
  });
});
