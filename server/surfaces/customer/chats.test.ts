import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
});

const call = async (operation: string, body: unknown, token = customer.token) => {
  const response = await test.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/${operation}?organization_id=${organization.id}`,
    headers: { authorization: `Bearer ${token}` },
    payload: body as object,
  });
  return { status: response.statusCode, body: response.json() };
};

const message = (text: string, extra: object = {}) => ({ type: 'message', text, ...extra });

describe('a chat', () => {
  it('starts with its initial events and can be read again', async () => {
    const started = await call('start_chat', { chat: { thread: { events: [message('Hello')] } } });
    expect(started).toMatchObject({ status: 200 });
    const read = await call('get_chat', { chat_id: started.body.chat_id });
    expect(read.body.thread.events[0]).toMatchObject({ text: 'Hello', author_id: customer.id, type: 'message' });
    const list = await call('list_chats', {});
    expect(list.body.chats_summary[0]).toMatchObject({ id: started.body.chat_id, active: true });
    const sent = await call('send_event', { chat_id: started.body.chat_id, event: message('More') });
    expect(sent.body).toEqual({ event_id: `${started.body.thread_id}_2` });
    const closed = await call('deactivate_chat', { id: started.body.chat_id });
    expect(closed).toEqual({ status: 200, body: {} });
    const resumed = await call('resume_chat', { chat: { id: started.body.chat_id } });
    expect(resumed.status).toBe(200);
    const threads = await call('list_threads', { chat_id: started.body.chat_id });
    expect(threads.body.found_threads).toBe(2);
  });
});
