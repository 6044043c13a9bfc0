import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await buildOrganization(test);
});

const openLimited = () => startTestApp({ beside: test, config: { rateLimits: true } });

const BOUNDARY = 'boundary';
const FORM = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHello\r\n--${BOUNDARY}--\r\n`;

/** An upload whose size is unknown in advance, so that it counts as 10 MB. */
const upload = async ({ app }: TestApp, token: string, remoteAddress = '192.0.2.1') => {
  const response = await app.inject({
    ...{ method: 'POST', url: `/v3.5/customer/action/upload_file?organization_id=${organization.id}`, remoteAddress },
    headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Readable.from([FORM]),
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};

describe('uploads', () => {
  it('are limited by size per customer and per address', async () => {
    await using limited = await openLimited();
    const statuses: number[] = [];
    for (let visitor = 0; visitor < 5; visitor++) {
      const { token } = await buildCustomer(organization);
      for (let file = 0; file < 10; file++) statuses.push((await upload(limited, token)).status);
      const refused = await upload(limited, token, '192.0.2.7');
      expect(refused).toMatchObject(errorResponse(429, 'too_many_requests'));
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    }
    expect(statuses).toEqual(Array(50).fill(200));
    const { token } = await buildCustomer(organization);
    expect(await upload(limited, token)).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect((await upload(limited, token, '192.0.2.2')).status).toBe(200);
  });
});

describe('new chats', () => {
  it('are limited per customer', async () => {
    await using limited = await openLimited();
    const call = callAs(limited, organization, await buildCustomer(organization));
    const { chat_id } = (await call('start_chat', { continuous: true })).body;
    let count = 1;
    let last = await call('deactivate_chat', { id: chat_id });
    // The quota is refilled meanwhile, by much less than is used.
    for (; last.status === 200 && count < 200; count++) {
      last = await call('resume_chat', { chat: { id: chat_id }, continuous: true });
      if (last.status === 200) await call('deactivate_chat', { id: chat_id });
    }
    expect(count).toBeGreaterThan(60);
    expect(last).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('ticket forms', () => {
  it('are limited per customer, in new and in open chats', async () => {
    await using limited = await openLimited();
    const call = callAs(limited, organization, await buildCustomer(organization));
    const form = {
      ...{ type: 'filled_form', form_id: 'default_ticket', form_type: 'ticket' },
      fields: [
        { type: 'email', id: 'email', label: 'E-mail:', answer: 'ann@home.test' },
        { type: 'textarea', id: 'message', label: 'Message:', answer: 'Hello' },
      ],
    };
    const events = Array(5).fill(form);
    const { status, body } = await call('start_chat', { continuous: true, chat: { thread: { events } } });
    expect(status).toBe(200);
    const send = () => call('send_event', { chat_id: body.chat_id, event: form });
    for (let ticket = 5; ticket < 10; ticket++) expect((await send()).status).toBe(200);
    const refused = await send();
    expect(refused).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    const message = { type: 'message', text: 'Hello?' };
    expect((await call('send_event', { chat_id: body.chat_id, event: message })).status).toBe(200);
  });
});
