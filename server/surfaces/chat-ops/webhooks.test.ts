import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { isWebhookToken } from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import { signWebhook } from '#server/jobs/deliver-webhook.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { answerStatus, ok, type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import { arrangeChat, say } from '../../testing/builders/archive.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const HEX = /^[0-9a-f]{32}$/;

const test = useTestApp({ config: { allowPrivateWebhooks: true } });
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;
let receiver: Receiver;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const create = async (event_type: string, data_types: string[], url = receiver.url) =>
  (await asOwner('POST', '/webhooks', { event_type, data_types, url })).body.events[0];
const seconds = () => Math.floor(test.clock.now().getTime() / 1000);

describe('POST, GET and DELETE /webhooks', () => {
  it('create, list and delete webhooks', async () => {
    const form = `event_type=chat_ended&data_types[]=chat&data_types[]=visitor&url=${encodeURIComponent(receiver.url)}`;
    const added = await asOwner('POST', '/webhooks', form);
    expect(added).toMatchObject({
      status: 200,
      body: {
        events: [
          {
            licence: organization.licenseNumber,
            event_type: 'chat_ended',
            data_types: ['chat', 'visitor'],
            url: receiver.url,
            verified: false,
          },
        ],
      },
    });
    const [webhook] = added.body.events;
    expect(webhook.token).toMatch(HEX);
    expect((await asOwner('GET', '/webhooks')).body).toEqual({ events: [webhook] });
    const removed = await asOwner('DELETE', `/webhooks/${webhook.id}`);
    expect(removed.body).toEqual({ result: 'Push notification removed successfully' });
    expect((await asOwner('GET', '/webhooks/')).body).toEqual({ events: [] });
    expect((await asOwner('DELETE', `/webhooks/${webhook.id}`)).status).toBe(404);
  });

  it.each([
    ['chat_started', ['ticket']],
    ['chat_ended', ['chat', 'ticket']],
    ['visitor_queued', ['chat']],
    ['visitor_queued', ['pre_chat_survey']],
    ['ticket_created', ['visitor']],
    ['chat_started', ['everything']],
    ['chat_started', []],
    ['chat_moved', ['chat']],
  ])('reject %s with %j', async (event_type, data_types) => {
    expect((await asOwner('POST', '/webhooks', { event_type, data_types, url: receiver.url })).status).toBe(400);
  });

  it('reject missing fields and invalid URLs', async () => {
    const valid = { event_type: 'chat_started', data_types: ['chat'], url: receiver.url };
    for (const field of Object.keys(valid))
      expect((await asOwner('POST', '/webhooks', { ...valid, [field]: undefined })).status).toBe(400);
    for (const url of ['ftp://shop.test/', 'javascript:alert(1)', 'shop.test', `https://shop.test/${'x'.repeat(500)}`])
      expect((await asOwner('POST', '/webhooks', { ...valid, url })).status).toBe(400);
  });

  it('allow at most three webhooks per event, even in concurrent requests', async () => {
    const add = () =>
      asOwner('POST', '/webhooks', { event_type: 'chat_started', data_types: ['chat'], url: receiver.url });
    const statuses = (await Promise.all(Array.from({ length: 5 }, add))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 403, 403]);
    expect(await create('chat_ended', ['chat'])).toBeDefined();
  });

  it('require an administrator; other agents see neither tokens nor passwords', async () => {
    const url = receiver.url.replace('://', '://shop:secret@');
    const { id, token } = await create('chat_started', ['chat'], url);
    const asAgent = caller(test, agent);
    const [seen] = (await asAgent('GET', '/webhooks')).body.events;
    expect(seen).toMatchObject({ id, url: receiver.url });
    expect(seen).not.toHaveProperty('token');
    expect((await asAgent('POST', '/webhooks', { event_type: 'chat_ended', data_types: ['chat'], url })).status).toBe(
      403,
    );
    expect((await asAgent('DELETE', `/webhooks/${id}`)).status).toBe(403);
    const other = await buildOrganization(test);
    expect((await caller(test, other.owner)('GET', '/webhooks')).body).toEqual({ events: [] });
    expect((await caller(test, other.owner)('DELETE', `/webhooks/${id}`)).status).toBe(404);
    expect((await asOwner('GET', '/webhooks')).body.events).toMatchObject([{ url, token }]);
  });
});

describe('a delivery', () => {
  it('contains an ended chat with all requested data types', async () => {
    const { token } = await create('chat_ended', ['chat', 'visitor', 'pre_chat_survey']);
    const customer = await buildCustomer(organization);
    const details = { name: 'Ann', email: 'ann@mail.test', sessionFields: JSON.stringify([{ plan: 'gold' }]) };
    await organization.scope.update('customers').where('id', '=', customer.id).set(details).execute();
    const fields = [
      { type: 'name', id: '2001', label: 'Name:', answer: 'Ann' },
      { type: 'checkbox', id: '2002', label: 'About:', answers: [{ id: '1', label: 'Shoes' }] },
    ];
    const started = seconds();
    const { threadId } = await arrangeChat(test, organization, {
      customerId: customer.id,
      events: [say({ type: 'filled_form', formId: 'f', formType: 'prechat', fields }), say('Hello')],
      properties: { routing: { start_url: 'https://shop.test/cart' } },
      seconds: 5,
    });
    await test.runDueJobs();
    const [message, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(message!.body).toMatchObject({
      event_type: 'chat_ended',
      token,
      license_id: String(organization.licenseNumber),
      lc_version: '2',
      chat: {
        id: threadId,
        started_timestamp: started,
        ended_timestamp: started + 5,
        url: 'https://shop.test/cart',
        messages: [{ user_type: 'visitor', author_name: 'Ann', text: 'Hello', timestamp: started }],
        attachments: [],
        events: [
          { user_type: 'visitor', text: 'The customer closed the chat', timestamp: started + 5, type: 'closed' },
        ],
        agents: [{ name: 'Olga Owner', login: organization.owner.login }],
        tags: [],
        groups: [0],
      },
      visitor: {
        id: customer.id,
        name: 'Ann',
        email: 'ann@mail.test',
        country: '',
        city: '',
        custom_variables: [{ key: 'plan', value: 'gold' }],
      },
    });
    expect(message!.body.event_unique_id).toMatch(HEX);
    expect(message!.body.chat.messages[0]).not.toHaveProperty('agent_id');
    expect(Object.keys(message!.body.visitor).toSorted()).toEqual(
      ['city', 'country', 'custom_variables', 'email', 'id', 'language', 'name', 'page_current', 'timezone'].toSorted(),
    );
    expect(message!.body.pre_chat_survey).toEqual([
      { id: '2001', type: 'name', label: 'Name:', answer: 'Ann' },
      { id: '2002', type: 'checkbox', label: 'About:', answers: [{ label: 'Shoes', chosen: true }] },
    ]);
  });

  it('is signed with its token and contains only the requested data types', async () => {
    const { token } = await create('chat_started', ['pre_chat_survey']);
    await buildChat(organization, await buildCustomer(organization), { texts: ['Hi'] });
    await test.runDueJobs();
    const { body, text, headers } = receiver.received[0]!;
    expect(Object.keys(body)).toEqual([
      'event_type',
      'event_unique_id',
      'token',
      'license_id',
      'lc_version',
      'pre_chat_survey',
    ]);
    expect(body.pre_chat_survey).toEqual([]);
    expect(headers['x-parley-signature']).toBe(signWebhook(token, Number(headers['x-parley-timestamp']), text));
    expect((await asOwner('GET', '/webhooks')).body.events[0].verified).toBe(true);
  });

  it('contains a visitor who is queued at the start or because the agent left', async () => {
    await create('visitor_queued', ['visitor']);
    const first = await buildCustomer(organization);
    await buildChat(organization, first);
    await test.runDueJobs();
    expect(receiver.received).toEqual([]);
    await setAgentStatus(organization.scope, { login: organization.owner.login, status: 'offline' });
    const waiting = await buildCustomer(organization);
    await buildChat(organization, waiting, { continuous: true });
    await test.runDueJobs();
    const bodies = receiver.received.map(({ body }) => [body.event_type, body.visitor.name]);
    expect(bodies).toEqual([
      ['visitor_queued', 'Client'],
      ['visitor_queued', 'Client'],
    ]);
    const ids = receiver.received.map(({ body }) => body.visitor.id);
    expect(ids.toSorted()).toEqual([first.id, waiting.id].toSorted());
  });

  it('contains a ticket', async () => {
    await create('ticket_created', ['ticket']);
    const ticket = { message: 'Broken', subject: 'Shoes', requester: { mail: 'ann@mail.test', name: 'Ann' } };
    const { id } = (await asOwner('POST', '/tickets', ticket)).body;
    await test.runDueJobs();
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      {
        event_type: 'ticket_created',
        ticket: {
          id,
          subject: 'Shoes',
          status: 'open',
          requester: { mail: 'ann@mail.test', name: 'Ann' },
          groups: [{ id: 0, name: 'All agents' }],
          tags: [],
          source: { type: 'lc2' },
          events: [{ type: 'message', message: 'Broken', is_private: false, date: test.clock.now().toISOString() }],
        },
      },
    ]);
  });

  it('is retried with the same id and the original content', async () => {
    await create('chat_started', ['chat']);
    receiver.answerWith(answerStatus(500));
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer, { texts: ['First'] });
    await test.runDueJobs();
    receiver.answerWith(ok);
    test.clock.advance(60_000);
    await sendEvent(customerScope(organization, customer), {
      chatId,
      event: messageDraft('Later'),
      attachToLastThread: false,
    });
    await test.runDueJobs();
    const [first, second] = receiver.received.map(({ body }) => body);
    expect(second).toEqual(first);
    expect(second.chat.messages).toHaveLength(1);
  });

  it('sends the credentials of its URL', async () => {
    const [scheme, rest] = receiver.url.split('://') as [string, string];
    const url = `${scheme}://shop:pass%20$&$$word@${rest}`;
    expect(await create('chat_started', ['chat'], url)).toMatchObject({ url });
    await buildChat(organization, await buildCustomer(organization));
    await test.runDueJobs();
    const { headers } = receiver.received[0]!;
    expect(headers.authorization).toBe(`Basic ${Buffer.from('shop:pass $&$$word').toString('base64')}`);
  });

  it('has a token that is valid as long as the chat_started webhook exists', async () => {
    const { id, token } = await create('chat_started', ['chat']);
    const { token: ended } = await create('chat_ended', ['chat']);
    const { scope } = organization;
    expect([await isWebhookToken(scope, token), await isWebhookToken(scope, ended)]).toEqual([true, false]);
    const elsewhere = await buildOrganization(test);
    expect(await isWebhookToken(elsewhere.scope, token)).toBe(false);
    await asOwner('DELETE', `/webhooks/${id}`);
    expect(await isWebhookToken(scope, token)).toBe(false);
  });
});
