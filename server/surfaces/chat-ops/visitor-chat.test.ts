import { beforeAll, describe, expect, it } from 'vitest';
import { addBan } from '#server/domain/support/customers/bans.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { answer, reader, say } from '../../testing/builders/archive.ts';

const test = useTestApp();
let organization: TestOrganization;

beforeAll(async () => {
  organization = await buildOrganization(test);
});

type Fields = Record<string, string | number>;

const encode = (fields: Fields): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();

const FORM = 'application/x-www-form-urlencoded';

const post = async (path: string, fields: Fields, type = 'application/json') => {
  const payload = type === FORM ? encode(fields) : JSON.stringify(fields);
  const headers = { 'content-type': type, 'x-api-version': '2' };
  const response = await test.app.inject({ method: 'POST', url: path, headers, payload });
  return { status: response.statusCode, body: response.json() };
};

const poll = async (visitorId: string, fields: Fields) => {
  const url = `/visitors/${visitorId}/chat/get_pending_messages?${encode(fields)}`;
  const response = await test.app.inject({ method: 'GET', url });
  return { status: response.statusCode, body: response.json() };
};

const start = (visitorId: string, fields: Fields = {}, { licenseNumber } = organization) =>
  post(`/visitors/${visitorId}/chat/start`, { licence_id: licenseNumber, welcome_message: 'Hello', ...fields });

/** A visitor with a chat and its session. */
const begin = async (visitorId: string, fields: Fields = {}, owner = organization) => {
  const { body } = await start(visitorId, fields, owner);
  return { licence_id: owner.licenseNumber, secured_session_id: body.secured_session_id as string };
};

const again = ({ secured_session_id }: { secured_session_id: string }) => ({ secured_session_id });

const textsOf = async (visitorId: string, session: Fields) =>
  (await poll(visitorId, session)).body.events.flatMap(({ text }: { text?: string }) => text ?? []);

const chatOf = (visitorId: string, { scope } = organization) =>
  scope
    .from('chats')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'chats.organizationId')
        .onRef('customers.id', '=', 'chats.customerId'),
    )
    .where('customers.visitorId', '=', visitorId)
    .select([
      'chats.id',
      'chats.lastThreadId',
      'chats.active',
      'customers.id as customerId',
      'name',
      'email',
      'groupIds',
    ])
    .execute();

describe('a visitor without a widget', () => {
  it('starts a chat, gets replies, sends messages and closes it, as JSON and as a form', async () => {
    for (const type of ['application/json', FORM]) {
      const visitorId = `both-ways-${type.length}`;
      const path = `/visitors/${visitorId}/chat`;
      const fields = {
        licence_id: organization.licenseNumber,
        welcome_message: 'Hi',
        name: 'Vera',
        email: 'v@home.test',
      };
      const started = await post(`${path}/start`, fields, type);
      expect(started).toEqual({ status: 200, body: { secured_session_id: expect.any(String), banned: false } });
      const session = { licence_id: fields.licence_id, secured_session_id: started.body.secured_session_id };
      const [chat] = await chatOf(visitorId);
      expect(chat).toMatchObject({ active: true, name: 'Vera', email: 'v@home.test', groupIds: [0] });
      test.clock.advance(2000);
      await answer(test, organization, chat!.id, say('How may I help you?'));
      await answer(test, organization, chat!.id, say('A difficult one', 'agents'));
      const sent = await post(`${path}/send_message`, { ...session, message: 'With my order' }, type);
      expect(sent).toEqual({ status: 200, body: { success: true } });
      const { events } = (await poll(visitorId, session)).body;
      const agent = { avatar: '', job_title: expect.any(String), name: 'Olga Owner' };
      expect(events).toMatchObject([
        { type: 'agent_details', user_type: 'agent', agent },
        { type: 'message', user_type: 'visitor', text: 'Hi' },
        { type: 'message', user_type: 'agent', text: 'How may I help you?', agent },
        { type: 'message', user_type: 'visitor', text: 'With my order' },
      ]);
      const ids = events.map(({ message_id }: { message_id: number }) => message_id);
      expect(ids).toEqual([...new Set<number>(ids)].toSorted((one, other) => one - other));
      expect(await post(`${path}/close`, session, type)).toEqual({ status: 200, body: { success: true } });
      expect((await post(`${path}/close`, session, type)).body).toEqual({ success: false });
      expect((await post(`${path}/send_message`, { ...session, message: 'x' }, type)).status).toBe(400);
      const newer = await poll(visitorId, { ...session, last_message_id: ids.at(-1)! });
      expect(newer.body.events).toMatchObject([{ type: 'event', event_type: 'closed', user_type: 'visitor' }]);
    }
  });

  it('is in the archive with the integrator’s id, and as `Client` without a name', async () => {
    await begin('known-by-this');
    const [chat] = await chatOf('known-by-this');
    const read = reader(test, organization.owner);
    const { body } = await read('/chats?visitor_id=known-by-this&include_pending=1');
    expect(body).toMatchObject({
      total: 1,
      chats: [{ id: chat!.lastThreadId, visitor: { id: 'known-by-this', name: 'Client' }, pending: true, ended: '' }],
    });
    expect((await read(`/chats?visitor_id=${chat!.customerId}&include_pending=1`)).body.total).toBe(1);
  });

  it('is in the archive with its IP address and user agent', async () => {
    const payload = { licence_id: organization.licenseNumber, welcome_message: 'Hello', group: 77 };
    await buildGroup(organization, 77);
    const headers = { 'user-agent': 'OldClient/2.1' };
    const url = '/visitors/seen-from/chat/start';
    const started = await test.app.inject({
      ...{ method: 'POST', url, payload, headers, remoteAddress: '192.0.2.44' },
    });
    expect(started.statusCode).toBe(200);
    await start('seen-from', { secured_session_id: started.json().secured_session_id });
    const read = reader(test, organization.owner);
    const seen = { ip: '192.0.2.44', user_agent: 'OldClient/2.1' };
    const { body } = await read('/chats?visitor_id=seen-from&include_pending=1');
    expect(body.chats).toMatchObject([{ visitor: { id: 'seen-from', ...seen } }]);
    const live = (await read('/visitors')).body.find(({ id }: { id: string }) => id === 'seen-from');
    expect(live).toMatchObject({ ...seen, visits: 1, group: 77 });
  });

  it('polls only newer messages, with arguments in the query or in the body', async () => {
    const session = await begin('asks-often');
    const first = (await poll('asks-often', { ...session, last_message_id: 0 })).body.events;
    const last = first.at(-1).message_id;
    expect((await poll('asks-often', { ...session, last_message_id: last })).body).toEqual({ events: [] });
    const [chat] = await chatOf('asks-often');
    await answer(test, organization, chat!.id, say('One'));
    for (const last_message_id of [last, last + 1])
      expect((await poll('asks-often', { ...session, last_message_id })).body.events).toMatchObject([{ text: 'One' }]);
    const url = '/visitors/asks-often/chat/get_pending_messages';
    for (const type of [FORM, 'application/json']) {
      const fields = { ...session, last_message_id: last };
      const payload = type === FORM ? encode(fields) : JSON.stringify(fields);
      const response = await test.app.inject({ method: 'GET', url, headers: { 'content-type': type }, payload });
      expect(response.json()).toMatchObject({ events: [{ text: 'One' }] });
    }
  });

  it('continues the chat of its session in a new session that does not return earlier messages', async () => {
    const first = await begin('twice');
    const [chat] = await chatOf('twice');
    await answer(test, organization, chat!.id, say('Your code is 1234'));
    const second = await begin('twice', { ...again(first), welcome_message: 'Me again', name: 'Other' });
    expect(second.secured_session_id).not.toBe(first.secured_session_id);
    expect(await chatOf('twice')).toHaveLength(1);
    expect(await textsOf('twice', first)).toEqual(['Hello', 'Your code is 1234', 'Me again']);
    expect(await textsOf('twice', second)).toEqual(['Me again']);
    expect((await poll('twice', second)).body.events[0]).toMatchObject({ type: 'agent_details' });
    await post('/visitors/twice/chat/close', first);
    // The name of a customer in an active chat is changed when the chat ends.
    expect(await chatOf('twice')).toMatchObject([{ name: 'Other' }]);
    await begin('twice', again(second));
    expect((await chatOf('twice')).map(({ active }) => active).toSorted()).toEqual([false, true]);
  });

  it('is one visitor with separate chats after many concurrent starts', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => start('at-once')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.secured_session_id)).size).toBe(8);
    const chats = await chatOf('at-once');
    expect([chats.length, new Set(chats.map(({ customerId }) => customerId)).size]).toEqual([8, 1]);
  });

  it('continues message numbers after the chat is resumed', async () => {
    const session = await begin('comes-back');
    const [chat] = await chatOf('comes-back');
    await post('/visitors/comes-back/chat/close', session);
    const before = (await poll('comes-back', session)).body.events.at(-1).message_id;
    const headers = { authorization: organization.owner.basic };
    const payload = {
      chat: { id: chat!.id, thread: { events: [{ type: 'message', text: 'One more thing' }] } },
      active: true,
    };
    const url = '/v3.5/agent/action/resume_chat';
    expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200);
    const { events } = (await poll('comes-back', { ...session, last_message_id: before })).body;
    expect(events.at(-1)).toMatchObject({ type: 'message', user_type: 'agent', text: 'One more thing' });
  });

  it('waits in the queue of the requested group while no agent is available', async () => {
    const empty = await buildOrganization(test, { online: false });
    await buildGroup(empty, 4);
    const session = await begin('waits', { group: 4 }, empty);
    expect(await chatOf('waits', empty)).toMatchObject([{ active: true, groupIds: [4] }]);
    expect((await poll('waits', session)).body.events).toMatchObject([{ type: 'message', user_type: 'visitor' }]);
    const agent = await buildAgent(empty, { groupIds: [4] });
    const found = await reader(test, agent)('/chats?include_pending=1&group=4');
    expect(found.body.total).toBe(1);
  });
});

describe('a session', () => {
  it('is valid only for its license and visitor', async () => {
    const session = await begin('mine');
    await begin('theirs');
    const other = await buildOrganization(test);
    expect((await poll('theirs', session)).status).toBe(401);
    expect((await poll('mine', { ...session, licence_id: other.licenseNumber })).status).toBe(401);
    expect((await poll('mine', { ...session, secured_session_id: 'wrong' })).status).toBe(401);
    for (const path of ['send_message', 'close'])
      expect((await post(`/visitors/theirs/chat/${path}`, { ...session, message: 'x' })).status).toBe(401);
    expect((await poll('mine', { ...session, licence_id: 1 })).status).toBe(404);
  });

  it('expires after 30 days, and is stored only as a hash', async () => {
    const session = await begin('long-ago');
    const rows = await organization.scope.from('visitorSessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(session.secured_session_id);
    test.clock.advance(30 * 24 * 3600 * 1000 - 1000);
    expect((await poll('long-ago', session)).status).toBe(200);
    test.clock.advance(1000);
    expect((await poll('long-ago', session)).status).toBe(401);
  });

  it('is accepted from a script on another site', async () => {
    const session = await begin('by-script');
    const url = `/visitors/by-script/chat/get_pending_messages?callback=cb&${encode(session)}`;
    const response = await test.app.inject({ method: 'GET', url, headers: { 'sec-fetch-site': 'cross-site' } });
    expect([response.statusCode, response.body.slice(0, 7)]).toEqual([200, '/**/cb(']);
  });
});

/** A customer of the customer API with an active chat, created as a widget does it. */
const startWidgetChat = async () => {
  const customer = await buildCustomer(organization);
  const call = async (operation: string, payload: object) => {
    const url = `/v3.5/customer/action/${operation}?organization_id=${organization.id}`;
    const headers = { authorization: `Bearer ${customer.token}` };
    return (await test.app.inject({ method: 'POST', url, headers, payload })).json();
  };
  await call('update_customer', { name: 'Wanda', email: 'wanda@home.test' });
  const { chat_id } = await call('start_chat', {
    chat: { thread: { events: [{ type: 'message', text: 'My secret question' }] } },
  });
  return { customerId: customer.id, chatId: chat_id as string, read: () => call('get_chat', { chat_id }) };
};

describe('a start without proof', () => {
  const stranger = { welcome_message: 'It is me', name: 'Mallory', email: 'mallory@else.test' };

  it('neither joins the open chat of a known visitor nor changes its name and email', async () => {
    const victim = await begin('open-chat', { name: 'Vera', email: 'v@home.test' });
    const [chat] = await chatOf('open-chat');
    for (const proof of [{}, { secured_session_id: 'guessed' }, again(await begin('another-visitor'))]) {
      const intruder = await begin('open-chat', { ...stranger, ...proof });
      await answer(test, organization, chat!.id, say('Your code is 1234'));
      expect(await textsOf('open-chat', intruder)).toEqual(['It is me']);
      await post('/visitors/open-chat/chat/send_message', { ...intruder, message: 'Send it to me' });
      expect((await post('/visitors/open-chat/chat/close', intruder)).body).toEqual({ success: true });
    }
    expect(await textsOf('open-chat', victim)).toEqual(['Hello', ...Array(3).fill('Your code is 1234')]);
    expect((await post('/visitors/open-chat/chat/send_message', { ...victim, message: 'Thanks' })).status).toBe(200);
    for (const { name, email } of await chatOf('open-chat')) expect([name, email]).toEqual(['Vera', 'v@home.test']);
  });

  it('starts a new chat of a known visitor whose chats have ended, without showing them', async () => {
    const first = await begin('ended-chat', { name: 'Vera', email: 'v@home.test' });
    await post('/visitors/ended-chat/chat/close', first);
    const second = await begin('ended-chat', stranger);
    expect(await textsOf('ended-chat', second)).toEqual(['It is me']);
    const chats = await chatOf('ended-chat');
    expect(chats).toMatchObject(Array(2).fill({ name: 'Vera', email: 'v@home.test' }));
    expect(new Set(chats.map(({ customerId }) => customerId)).size).toBe(1);
  });

  it('creates a separate customer when the id belongs to a customer of the widget', async () => {
    const widget = await startWidgetChat();
    const before = JSON.stringify(await widget.read());
    for (const id of [widget.customerId, widget.customerId.toUpperCase()]) {
      const intruder = await begin(id, stranger);
      await answer(test, organization, widget.chatId, say(`Your code for ${id} is 1234`));
      expect(await textsOf(id, intruder)).toEqual(['It is me']);
      await post(`/visitors/${id}/chat/send_message`, { ...intruder, message: 'Send it to me' });
      // The stranger can continue the separate chat, and it stays separate.
      const later = await begin(id, { ...again(intruder), welcome_message: 'Hello again' });
      expect(await textsOf(id, intruder)).toEqual(['It is me', 'Send it to me', 'Hello again']);
      expect((await post(`/visitors/${id}/chat/close`, later)).body).toEqual({ success: true });
    }
    const after = await widget.read();
    expect(after.active ?? after.thread.active).toBe(true);
    expect(JSON.stringify(after)).not.toMatch(/It is me|Mallory|mallory/);
    expect(before).toContain('Wanda');
    expect(JSON.stringify(after)).toContain('Wanda');
    const { body } = await reader(test, organization.owner)(`/chats?visitor_id=${widget.customerId}&include_pending=1`);
    expect([body.total, body.chats[0].visitor.id]).toEqual([1, widget.customerId]);
  });
});

describe('an agent’s credential', () => {
  const startAs = async (visitorId: string, authorization: string, fields: Fields = {}) => {
    const payload = { licence_id: organization.licenseNumber, welcome_message: 'By phone', ...fields };
    const url = `/visitors/${visitorId}/chat/start`;
    const { statusCode, body } = await test.app.inject({ method: 'POST', url, headers: { authorization }, payload });
    return { status: statusCode, body: JSON.parse(body) };
  };
  const sessionOf = ({ body }: { body: { secured_session_id: string } }) => ({
    ...again(body),
    licence_id: organization.licenseNumber,
  });

  it('continues the open chat of a visitor, and of a customer of the widget', async () => {
    const victim = await begin('served-by-agent');
    await startAs('served-by-agent', organization.owner.basic);
    expect(await textsOf('served-by-agent', victim)).toEqual(['Hello', 'By phone']);
    const widget = await startWidgetChat();
    await startAs(widget.customerId, organization.owner.basic);
    expect(JSON.stringify(await widget.read())).toContain('By phone');
  });

  it('counts as no proof for chats and browsers that the agent has no access to', async () => {
    await buildGroup(organization, 78);
    const outsider = await buildAgent(organization);
    const victim = await begin('in-group-78', { group: 78 });
    const separate = await startAs('in-group-78', outsider.basic);
    expect(await textsOf('in-group-78', sessionOf(separate))).toEqual(['By phone']);
    expect(await textsOf('in-group-78', victim)).toEqual(['Hello']);
    const widget = await startWidgetChat();
    await startAs(widget.customerId, outsider.basic);
    expect(JSON.stringify(await widget.read())).not.toContain('By phone');
  });

  it('is rejected if it is wrong or belongs to another organization', async () => {
    const other = await buildOrganization(test);
    expect((await startAs('refused', 'Bearer wrong')).status).toBe(401);
    expect((await startAs('refused', other.owner.basic)).status).toBe(403);
    expect(await chatOf('refused')).toEqual([]);
  });
});

describe('a banned visitor', () => {
  it('cannot start a chat or read messages', async () => {
    const session = await begin('trouble');
    const [chat] = await chatOf('trouble');
    await addBan(organization.scope, { customerId: chat!.customerId, days: 1 });
    expect(await start('trouble')).toEqual({ status: 200, body: { secured_session_id: '', banned: true } });
    expect((await poll('trouble', session)).status).toBe(403);
    expect(await chatOf('trouble')).toHaveLength(1);
  });

  it('is also rejected by IP address, without any stored data', async () => {
    const other = await buildOrganization(test);
    await addBan(other.scope, { ip: '127.0.0.1', days: 1 });
    expect((await start('new-here', {}, other)).body).toEqual({ secured_session_id: '', banned: true });
    expect(await chatOf('new-here', other)).toEqual([]);
  });
});

describe('the visitor chat API', () => {
  it('rejects missing and invalid arguments, and unknown or ended licenses', async () => {
    const { licenseNumber: licence_id } = organization;
    const invalidForms: Fields[] = [
      {},
      { licence_id },
      { licence_id, welcome_message: '' },
      { licence_id, welcome_message: '😀'.repeat(1025) },
      { licence_id, welcome_message: 'Hi', email: 'nobody' },
      { licence_id, welcome_message: 'Hi', group: 'x' },
      { licence_id: 'x', welcome_message: 'Hi' },
    ];
    for (const fields of invalidForms) expect((await post('/visitors/v/chat/start', fields)).status).toBe(400);
    expect((await start('v', { welcome_message: '😀'.repeat(1024) })).status).toBe(200);
    const session = again((await start('v')).body);
    expect((await start('v', { ...session, group: 99 })).status).toBe(200); // the active chat keeps its group
    expect((await start('v', { group: 99 })).status).toBe(404);
    expect((await start('nowhere', { group: 99 })).status).toBe(404);
    expect((await start('v', { licence_id: 99 })).status).toBe(404);
    const ended = await buildOrganization(test);
    const { kysely } = test.context.database;
    await kysely.updateTable('organizations').where('id', '=', ended.id).set({ status: 'expired' }).execute();
    expect((await start('v', {}, ended)).status).toBe(403);
    expect((await poll('v', { licence_id })).status).toBe(400);
  });
});
