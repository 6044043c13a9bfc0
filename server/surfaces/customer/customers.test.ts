import { beforeEach, describe, expect, it } from 'vitest';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let heard: DomainEvent[];

beforeEach(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  heard = [];
  test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) => heard.push(readEvent(text as string)));
});

const me = async () => (await call('get_customer')).body;
const start = async (): Promise<string> => (await call('start_chat', { continuous: true })).body.chat_id;
const end = (id: string) => call('deactivate_chat', { id });
const heardOf = <T extends DomainEvent['type']>(type: T) =>
  heard.filter((event): event is Extract<DomainEvent, { type: T }> => event.type === type);
const fields = (count: number) => Array.from({ length: count }, (_, at) => ({ [`key ${at}`]: `${at}` }));

describe('get_customer', () => {
  it('returns only fields that are set', async () => {
    expect(await call('get_customer')).toMatchObject({ status: 200 });
    expect(await me()).toEqual({
      id: customer.id,
      type: 'customer',
      statistics: {
        chats_count: 0,
        threads_count: 0,
        visits_count: 1,
        page_views_count: 0,
        greetings_shown_count: 0,
        greetings_accepted_count: 0,
      },
    });
  });

  it('counts only chats and threads of this customer', async () => {
    const other = await buildCustomer(organization);
    await buildChat(organization, other, { texts: ['hello'] });
    const id = await start();
    await end(id);
    await call('resume_chat', { chat: { id, thread: { events: [message('again')] } }, continuous: true });
    await start();
    expect((await me()).statistics).toMatchObject({ chats_count: 2, threads_count: 3 });
  });
});

describe('update_customer', () => {
  it('updates only the given fields', async () => {
    const all = { name: 'Ann', email: 'ann@mail.example', avatar: 'https://cdn.example/a.png?x=1' };
    expect(await call('update_customer', { ...all, session_fields: [{ plan: 'gold' }] })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await me()).toMatchObject({ ...all, email_verified: false, session_fields: [{ plan: 'gold' }] });
    await call('update_customer', { name: 'Anna' });
    expect(await me()).toMatchObject({ ...all, name: 'Anna', session_fields: [{ plan: 'gold' }] });
  });

  it('treats null and empty strings as absent', async () => {
    await call('update_customer', { name: 'Ann', email: 'ann@mail.example' });
    const noise = { name: '', email: null, avatar: '', session_fields: null };
    expect(await call('update_customer', noise)).toMatchObject(errorResponse(400, 'validation'));
    expect((await call('update_customer', { ...noise, avatar: 'http://cdn.example/' })).status).toBe(200);
    expect(await me()).toMatchObject({ name: 'Ann', email: 'ann@mail.example', avatar: 'http://cdn.example/' });
  });

  it.each<[string, unknown]>([
    ['nothing', {}],
    ['no known field', { nickname: 'x' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['a number for a name', { name: 5 }],
    ['an invalid email address', { email: 'ann' }],
    ['an email address with a line break', { email: 'ann@mail.example\r\nbcc: x@y.example' }],
    ['an email address that is too long', { email: `${'x'.repeat(243)}@mail.example` }],
    ['an avatar that is not a URL', { avatar: 'a.png' }],
    ['an avatar with a script URL', { avatar: 'javascript:alert(1)' }],
    ['an avatar URL that is too long', { avatar: `https://cdn.example/${'x'.repeat(2030)}` }],
    ['101 session fields', { session_fields: fields(101) }],
    ['session fields that are not a list', { session_fields: { a: 'b' } }],
    ['a valid name with an invalid email address', { name: 'Eve', email: 'x' }],
  ])('rejects %s and changes nothing', async (_, body) => {
    const before = await me();
    expect(await call('update_customer', body)).toMatchObject(errorResponse(400, 'validation'));
    expect(await me()).toEqual(before);
  });

  it('accepts values up to each limit', async () => {
    const edge = {
      name: 'x'.repeat(255),
      avatar: `https://cdn.example/${'x'.repeat(2028)}`,
      session_fields: fields(100),
    };
    expect((await call('update_customer', edge)).status).toBe(200);
    expect(await me()).toMatchObject(edge);
  });

  it('does not affect other customers', async () => {
    const other = callAs(test, organization, await buildCustomer(organization));
    await call('update_customer', { name: 'Ann' });
    expect((await other('get_customer')).body).not.toHaveProperty('name');
  });

  it('emits an event when it takes effect', async () => {
    await call('update_customer', { name: 'Ann', session_fields: [{ a: '1' }] });
    expect(heardOf('customer_updated')).toMatchObject([{ customerId: customer.id, customer: { name: 'Ann' } }]);
    expect(heardOf('customer_session_fields_updated')).toEqual([]);
  });
});

describe('update_customer during a chat', () => {
  it('takes effect when the chat ends', async () => {
    await call('update_customer', { name: 'Before' });
    const id = await start();
    heard = [];
    expect((await call('update_customer', { name: 'After', email: 'ann@mail.example' })).status).toBe(200);
    expect(await me()).toMatchObject({ name: 'Before' });
    expect((await call('get_chat', { chat_id: id })).body.users[0].name).toBe('Before');
    expect(heardOf('customer_updated')).toEqual([]);
    await end(id);
    expect(await me()).toMatchObject({ name: 'After', email: 'ann@mail.example' });
    expect(heardOf('customer_updated')).toMatchObject([{ customer: { name: 'After' } }]);
  });

  it('takes effect when the last of two chats ends, in either order', async () => {
    for (const reversed of [false, true]) {
      const ids = [await start(), await start()];
      if (reversed) ids.reverse();
      await call('update_customer', { name: `After ${reversed}` });
      await end(ids[0]!);
      expect((await me()).name).not.toBe(`After ${reversed}`);
      await end(ids[1]!);
      expect((await me()).name).toBe(`After ${reversed}`);
    }
  });

  it('takes effect when both chats end concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [await start(), await start()];
      await call('update_customer', { name: `Round ${round}` });
      const answers = await Promise.all(ids.map(end));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await me()).name).toBe(`Round ${round}`);
    }
  });

  it('is not lost if the chat ends concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await start();
      const answers = await Promise.all([call('update_customer', { name: `Round ${round}` }), end(id)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect((await me()).name).toBe(`Round ${round}`);
    }
  });

  it('merges several updates, of which the last one wins', async () => {
    const id = await start();
    await call('update_customer', { name: 'One', avatar: 'https://cdn.example/1' });
    await call('update_customer', { name: 'Two' });
    await end(id);
    expect(await me()).toMatchObject({ name: 'Two', avatar: 'https://cdn.example/1' });
    await end(await start());
    await call('update_customer', { name: 'Three' });
    expect(await me()).toMatchObject({ name: 'Three', avatar: 'https://cdn.example/1' });
  });

  it('emits session fields immediately, once per active chat', async () => {
    const ids = [await start(), await start()];
    await end(await start());
    heard = [];
    await call('update_customer', { session_fields: [{ a: '1' }] });
    expect(await me()).not.toHaveProperty('session_fields');
    const events = heardOf('customer_session_fields_updated');
    expect(events.map(({ chatId }) => chatId).toSorted()).toEqual(ids.toSorted());
    for (const event of events) expect(event).toMatchObject({ customerId: customer.id, sessionFields: [{ a: '1' }] });
    for (const id of ids) await end(id);
    expect((await me()).session_fields).toEqual([{ a: '1' }]);
  });

  it('does not overwrite session fields that were set later', async () => {
    const id = await start();
    await call('update_customer', { name: 'Ann', session_fields: [{ a: 'waiting' }] });
    await call('set_customer_session_fields', { session_fields: [{ a: 'now' }] });
    expect((await me()).session_fields).toEqual([{ a: 'now' }]);
    await end(id);
    expect(await me()).toMatchObject({ name: 'Ann', session_fields: [{ a: 'now' }] });
  });
});
