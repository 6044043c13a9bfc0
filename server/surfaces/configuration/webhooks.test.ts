import { beforeEach, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildWebhook } from '#server/testing/builders/webhooks.ts';
import { answerStatus, ok, startReceiver } from '#server/testing/http/receiver.ts';

const test = useTestApp({ config: { allowPrivateWebhooks: true } });
let organization: TestOrganization;
beforeEach(async () => {
  organization = await buildOrganization(test);
});

const call = async (operation: string, payload: object, authorization = organization.owner.basic, app = test) => {
  const response = await app.app.inject({
    method: 'POST',
    url: `/v3.5/configuration/action/${operation}`,
    headers: { authorization },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
};

const webhook = {
  action: 'incoming_event',
  url: 'https://receiver.test/hook',
  secret_key: 'a secret',
  owner_client_id: 'client-1',
  type: 'license',
};
const errorResponse = (status: number, type: string) => ({ status, body: { error: { type } } });

describe('register_webhook', () => {
  it('returns a webhook that is listed with all its settings until it is removed', async () => {
    const full = {
      ...webhook,
      description: 'For the archive',
      filters: { author_type: 'customer' },
      additional_data: ['chat_properties'],
    };
    const { body } = await call('register_webhook', full);
    const listed = { id: body.id, ...full, enabled: true, created_at: '2026-03-02T10:00:00.000000Z' };
    expect(await call('list_webhooks', {})).toEqual({ status: 200, body: [listed] });
    expect(await call('list_webhooks', { owner_client_id: 'another' })).toEqual({ status: 200, body: [] });
    expect(await call('disable_webhook', { id: body.id })).toEqual({ status: 200, body: {} });
    expect((await call('list_webhooks', {})).body).toEqual([{ ...listed, enabled: false }]);
    expect(await call('enable_webhook', { id: body.id })).toEqual({ status: 200, body: {} });
    expect(await call('unregister_webhook', { id: body.id, owner_client_id: 'another' })).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    expect(await call('unregister_webhook', { id: body.id })).toEqual({ status: 200, body: {} });
    expect((await call('list_webhooks', {})).body).toEqual([]);
  });

  it('stores the key encrypted', async () => {
    await call('register_webhook', webhook);
    const [row] = await organization.scope.from('webhooks').selectAll().execute();
    expect(row!.secretKeySealed.toString('latin1')).not.toContain(webhook.secret_key);
  });

  it('allows three webhooks per action and client, also in concurrent requests', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => call('register_webhook', webhook)));
    expect(results.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(results.find(({ status }) => status !== 200)).toMatchObject(errorResponse(422, 'limit_reached'));
    expect(await call('register_webhook', { ...webhook, action: 'incoming_chat' })).toMatchObject({ status: 200 });
    expect(await call('register_webhook', { ...webhook, owner_client_id: 'client-2' })).toMatchObject({ status: 200 });
    const { body } = await call('list_webhooks', { owner_client_id: 'client-1' });
    const alike = body.find(({ action }: { action: string }) => action === webhook.action);
    await call('unregister_webhook', { id: alike.id });
    expect(await call('register_webhook', webhook)).toMatchObject({ status: 200 });
  });

  it.each([
    ['an unknown action', { action: 'incoming_nothing' }],
    ['an invalid URL', { url: 'receiver' }],
    ['another protocol', { url: 'ftp://receiver.test/' }],
    ['credentials in the URL', { url: 'https://a:b@receiver.test/' }],
    ['a URL that is too long', { url: `https://receiver.test/${'a'.repeat(480)}` }],
    ['an empty key', { secret_key: '' }],
    ['another type', { type: 'chat' }],
    ['unknown additional data', { additional_data: ['everything'] }],
    ['an unsupported filter', { filters: { only_my_chats: true } }],
  ])('rejects %s', async (_, wrong) => {
    expect(await call('register_webhook', { ...webhook, ...wrong })).toMatchObject(errorResponse(400, 'validation'));
  });

  it('rejects a private address unless the operator allows it', async () => {
    await using strict = await startTestApp({ beside: test, config: { allowPrivateWebhooks: false } });
    for (const url of [
      'http://127.0.0.1/',
      'http://169.254.169.254/',
      'http://[::ffff:10.0.0.1]/',
      'http://localhost/',
    ])
      expect(await call('register_webhook', { ...webhook, url }, organization.owner.basic, strict)).toMatchObject(
        errorResponse(400, 'validation'),
      );
  });

  it('is allowed only for the owner and administrators', async () => {
    const normal = await buildAgent(organization);
    const administrator = await buildAgent(organization, { permission: 'administrator' });
    const { id } = await buildWebhook(organization, { url: webhook.url });
    const operations: [string, object][] = [
      ['register_webhook', webhook],
      ['list_webhooks', {}],
      ['disable_webhook', { id }],
      ['enable_webhook', { id }],
      ['list_webhook_deliveries', {}],
      ['replay_webhook_deliveries', { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
      ['unregister_webhook', { id }],
    ];
    for (const [operation, payload] of operations) {
      expect(await call(operation, payload, normal.basic)).toMatchObject(errorResponse(403, 'authorization'));
      expect(await call(operation, payload, administrator.basic)).toMatchObject({ status: 200 });
    }
  });
});

describe('the log of deliveries', () => {
  it('is listed in pages, by webhook and by state', async () => {
    const { id } = await buildWebhook(organization, { action: 'incoming_event', url: webhook.url });
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer);
    for (const text of ['a', 'b', 'c']) {
      test.clock.advance(1000);
      await sendEvent(customerScope(organization, customer), {
        chatId,
        event: messageDraft(text),
        attachToLastThread: false,
      });
    }
    const first = await call('list_webhook_deliveries', { webhook_id: id, state: 'pending', limit: 2 });
    expect(first.body.deliveries).toMatchObject([
      { webhook_id: id, chat_id: chatId, action: 'incoming_event', state: 'pending', attempts: 0 },
      {},
    ]);
    const second = await call('list_webhook_deliveries', { page_id: first.body.next_page_id });
    expect(second.body.deliveries).toHaveLength(1);
    expect(await call('list_webhook_deliveries', { page_id: second.body.previous_page_id })).toMatchObject({
      body: { deliveries: first.body.deliveries },
    });
    expect((await call('list_webhook_deliveries', { state: 'failed' })).body).toEqual({ deliveries: [] });
    expect(await call('list_webhook_deliveries', { webhook_id: 'another' })).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    await organization.scope.remove('webhooks').execute();
  });

  it('is replayed by id and by time range, each message under its own id', async () => {
    await using receiver = await startReceiver();
    const { id } = await buildWebhook(organization, { action: 'incoming_event', url: receiver.url });
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer);
    const times: string[] = [];
    for (const text of ['a', 'b', 'c']) {
      test.clock.advance(60_000);
      times.push(test.clock.now().toISOString());
      await sendEvent(customerScope(organization, customer), {
        chatId,
        event: messageDraft(text),
        attachToLastThread: false,
      });
    }
    await test.runDueJobs();
    const ids = receiver.received.map(({ deliveryId }) => deliveryId);
    expect(ids).toHaveLength(3);

    expect((await call('replay_webhook_deliveries', { delivery_id: ids[1] })).body).toEqual({ replayed: 1 });
    await test.runDueJobs();
    expect(receiver.received.slice(3).map(({ deliveryId }) => deliveryId)).toEqual([ids[1]]);

    const range = { from: times[0], to: times[2] };
    expect((await call('replay_webhook_deliveries', { ...range, webhook_id: id })).body).toEqual({ replayed: 2 });
    await test.runDueJobs();
    expect(receiver.received.slice(4).map(({ deliveryId }) => deliveryId)).toEqual([ids[0], ids[1]]);
    await organization.scope.remove('webhooks').execute();
  });

  it('resends failed deliveries', async () => {
    await using receiver = await startReceiver();
    receiver.answerWith(answerStatus(500));
    await buildWebhook(organization, { action: 'incoming_chat', url: receiver.url });
    await buildChat(organization, await buildCustomer(organization));
    for (let tries = 0; tries < 10; tries++) {
      await test.runDueJobs();
      test.clock.advance(3 * 3600_000);
    }
    const { body } = await call('list_webhook_deliveries', { state: 'failed' });
    expect(body.deliveries).toMatchObject([{ attempts: 10, last_status: 500, last_error: 'answered 500' }]);
    receiver.answerWith(ok);
    await call('replay_webhook_deliveries', { delivery_id: body.deliveries[0].id });
    await test.runDueJobs();
    expect((await call('list_webhook_deliveries', {})).body.deliveries).toMatchObject([
      { id: body.deliveries[0].id, state: 'delivered', attempts: 1, last_status: 200 },
    ]);
    await organization.scope.remove('webhooks').execute();
  });

  it.each([
    [{}],
    [{ from: '2026-01-01T00:00:00Z' }],
    [{ delivery_id: 'x', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    [{ from: 'yesterday', to: 'today' }],
  ])('rejects a replay of %j', async (payload) => {
    expect(await call('replay_webhook_deliveries', payload)).toMatchObject(errorResponse(400, 'validation'));
  });
});

describe('another organization', () => {
  it('cannot reach a webhook or its log', async () => {
    const { id } = await buildWebhook(organization, { url: webhook.url });
    await buildChat(organization, await buildCustomer(organization));
    const [delivery] = await organization.scope.from('webhookDeliveries').select('id').execute();
    const stranger = (await buildOrganization(test)).owner.basic;
    for (const operation of ['enable_webhook', 'disable_webhook', 'unregister_webhook'])
      expect(await call(operation, { id }, stranger)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await call('replay_webhook_deliveries', { delivery_id: delivery!.id }, stranger)).toMatchObject(
      errorResponse(404, 'not_found'),
    );
    expect((await call('list_webhook_deliveries', {}, stranger)).body).toEqual({ deliveries: [] });
    await organization.scope.remove('webhooks').execute();
  });
});
