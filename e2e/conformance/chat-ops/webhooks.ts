import { describe, expect, it } from 'vitest';
import { startReceiver } from '../customer/receiver.ts';
import { callAs, expectError, type Json, newShop } from './index.ts';
import { target } from './target.ts';

const shop = await newShop(target);
const { owner } = shop;
const result = { result: expect.stringMatching(/\S/) };

describe('webhooks', async () => {
  const url = 'https://far.test/hook';
  const allowed: [event: string, data: string[]][] = [
    ['chat_started', ['chat', 'pre_chat_survey', 'visitor']],
    ['chat_ended', ['chat', 'pre_chat_survey', 'visitor']],
    ['visitor_queued', ['visitor']],
    ['ticket_created', ['ticket']],
  ];

  it.each(allowed)('POST /webhooks registers a webhook for %s', async (event_type, data_types) => {
    const { events } = await owner.ok('POST', '/webhooks', { event_type, data_types, url });
    expect(events).toEqual([
      {
        ...{ id: expect.any(String), licence: shop.license, event_type, url, verified: false },
        ...{ data_types: expect.arrayContaining(data_types), token: expect.stringMatching(/\S/) },
      },
    ]);
    const others = ['chat', 'pre_chat_survey', 'visitor', 'ticket'].filter((one) => !data_types.includes(one));
    for (const wrong of others)
      expectError(await owner.sendRequest('POST', '/webhooks', { event_type, data_types: [wrong], url }), 400);
  });

  it('POST /webhooks rejects missing and unknown values', async () => {
    const whole = { event_type: 'chat_ended', data_types: ['chat'], url };
    for (const missing of Object.keys(whole))
      expectError(await owner.sendRequest('POST', '/webhooks', { ...whole, [missing]: undefined }), 400);
    expectError(await owner.sendRequest('POST', '/webhooks', { ...whole, event_type: 'chat_lost' }), 400);
    expectError(await owner.sendRequest('POST', '/webhooks', { ...whole, url: 'not a url' }), 400);
  });

  it('GET /webhooks lists webhooks and DELETE /webhooks/<ID> deletes one', async () => {
    const { events } = await owner.ok('GET', '/webhooks');
    expect(events.map(({ event_type }: Json) => event_type).toSorted()).toEqual(allowed.map(([one]) => one).toSorted());
    for (const { id } of events) expect(await owner.ok('DELETE', `/webhooks/${id}`)).toEqual(result);
    expect(await owner.ok('GET', '/webhooks')).toEqual({ events: [] });
    expectError(await owner.sendRequest('DELETE', `/webhooks/${events[0].id}`), 404);
  });

  it.skipIf(process.env.PARLEY_URL)(
    'webhooks are delivered, and their token authorizes POST /visitors/<VISITOR_ID>/details',
    async () => {
      const receiver = await startReceiver();
      const office = await newShop(target);
      for (const [event_type, data_types] of allowed) {
        if (event_type !== 'visitor_queued')
          await office.owner.ok('POST', '/webhooks', { event_type, data_types, url: `${receiver.url}/${event_type}` });
      }
      const visitorId = 'phone-0048-22';
      const start = { licence_id: office.license, welcome_message: 'Hello?', name: 'Ann', email: 'ann@far.test' };
      const session = await callAs(target.url, {}, 'POST', `/visitors/${visitorId}/chat/start`, start);
      const { body: started } = await receiver.next();
      const envelope = {
        event_unique_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        token: expect.stringMatching(/^[0-9a-f]{32}$/),
        ...{ license_id: String(office.license), lc_version: '2' },
      };
      const chat = {
        ...{ id: expect.any(String), started_timestamp: expect.any(Number), agents: [], tags: [], groups: [0] },
        messages: [{ user_type: 'visitor', author_name: 'Ann', text: 'Hello?', timestamp: expect.any(Number) }],
      };
      const visitor = expect.objectContaining({ id: visitorId, name: 'Ann', email: 'ann@far.test' });
      expect(started).toEqual({
        ...{ event_type: 'chat_started', ...envelope, visitor, pre_chat_survey: [] },
        chat: expect.objectContaining(chat),
      });

      const details = {
        ...{ license_id: started.license_id, token: started.token, id: 'crm', icon: 'crm.test/icon.png' },
        fields: [
          { name: 'Plan', value: 'gold' },
          { name: 'Page', value: 'open', url: 'https://crm.test/ann' },
        ],
      };
      const tell = (body: object) => callAs(target.url, {}, 'POST', `/visitors/${visitorId}/details`, body);
      expect(await tell(details)).toMatchObject({ status: 200, body: result });
      for (const missing of ['license_id', 'token', 'id', 'fields'])
        expect((await tell({ ...details, [missing]: undefined })).status).toBe(400);
      for (const link of ['javascript:alert(1)', 'data:text/html,x', 'ftp://crm.test/'])
        expectError(await tell({ ...details, fields: [{ name: 'x', value: 'y', url: link }] }), 400);

      const { secured_session_id } = session.body;
      await callAs(target.url, {}, 'POST', `/visitors/${visitorId}/chat/close`, {
        ...{ licence_id: office.license, secured_session_id },
      });
      const { body: ended } = await receiver.next();
      expect(ended).toMatchObject({
        ...{ event_type: 'chat_ended', license_id: String(office.license), visitor },
        chat: { id: started.chat.id, ended_timestamp: expect.any(Number) },
      });
      expect(ended.event_unique_id).not.toBe(started.event_unique_id);

      const requester = { mail: 'bob@far.test', name: 'Bob' };
      const ticket = await office.owner.ok('POST', '/tickets', { message: 'Help', subject: 'Shoes', requester });
      const { body: created } = await receiver.next();
      expect(created).toEqual({
        ...{ event_type: 'ticket_created', ...envelope },
        ticket: expect.objectContaining({ id: ticket.id, subject: 'Shoes', status: 'open', requester, tags: [] }),
      });
      await receiver.close();
    },
  );
});
