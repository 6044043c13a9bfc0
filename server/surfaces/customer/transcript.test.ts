import { beforeEach, describe, expect, it } from 'vitest';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, messageDraft } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let call: CallCustomer;
let thread: { chat_id: string; thread_id: string };

beforeEach(async () => {
  organization = await buildOrganization(test);
  call = callAs(test, organization, await buildCustomer(organization));
  const chat = { thread: { events: [message('<b>Where</b> is my lamp?')] } };
  const { chat_id, thread_id } = (await call('start_chat', { chat, continuous: true })).body;
  thread = { chat_id, thread_id };
});

const answer = (text: string, visibility: 'all' | 'agents' = 'all') => {
  const scope = agentScope(organization, organization.owner);
  const event = { ...messageDraft(text), visibility };
  return sendEvent(scope, { chatId: thread.chat_id, event, attachToLastThread: true });
};

const mailsTo = async (address: string) => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === address);
};

describe('send_transcript', () => {
  it('emails the messages of both sides, without notes of agents', async () => {
    await answer('On its way');
    await answer('Always asks', 'agents');
    const input = { ...thread, email: ' zoe@home.test ' };
    expect(await call('send_transcript', input)).toMatchObject({ status: 200, body: {} });
    const [sent, other] = await mailsTo('zoe@home.test');
    expect(other).toBeUndefined();
    expect(sent!.mail.text).toMatch(/<b>Where<\/b> is my lamp\?[\s\S]*On its way/);
    expect(sent!.mail.html).toContain('&lt;b&gt;Where');
    expect(sent!.mail.text).not.toContain('Always asks');
  });

  it('requires a reply of an agent', async () => {
    const input = { ...thread, email: 'early@home.test' };
    expect(await call('send_transcript', input)).toMatchObject(errorResponse(400, 'validation'));
    await answer('Only for us', 'agents');
    expect(await call('send_transcript', input)).toMatchObject(errorResponse(400, 'validation'));
    expect(await mailsTo('early@home.test')).toEqual([]);
  });

  it('is limited to two addresses and three mails per hour for one thread', async () => {
    await answer('On its way');
    const ask = (name: string) => call('send_transcript', { ...thread, email: `${name}@home.test` });
    for (const name of ['a', 'A', 'a']) expect((await ask(name)).status).toBe(200);
    for (const name of ['a', 'b']) expect(await ask(name)).toMatchObject(errorResponse(429, 'too_many_requests'));
    test.clock.advance(3600_000);
    for (const name of ['b', 'c']) expect((await ask(name)).status).toBe(200);
    const refused = await ask('d');
    expect(refused).toMatchObject(errorResponse(429, 'too_many_requests'));
    expect(Number(refused.headers['retry-after'])).toBe(3600);
  });

  it('requires an email address and a thread of the customer', async () => {
    await answer('On its way');
    for (const email of ['nobody', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test'])
      expect(await call('send_transcript', { ...thread, email })).toMatchObject(errorResponse(400, 'validation'));
    const email = 'zoe@home.test';
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await stranger('send_transcript', { ...thread, email })).toMatchObject(errorResponse(404, 'not_found'));
    const own = (await stranger('start_chat', { continuous: true })).body;
    const mixed = { chat_id: own.chat_id, thread_id: thread.thread_id, email };
    expect(await stranger('send_transcript', mixed)).toMatchObject(errorResponse(404, 'not_found'));
  });
});
