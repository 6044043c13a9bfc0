import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildWebhook } from '#server/testing/builders/webhooks.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs, message } from '#server/testing/http/call-customer.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import { nextPush } from '../../testing/builders/presence.ts';

const NOTE = 'a-note-nobody-outside-may-read';
const SPY = 'Sylvia Silent';
const OUTSIDER = 'Otto Outside';

const test = useTestApp({ config: { allowPrivateWebhooks: true } });
let organization: TestOrganization;
let customer: TestCustomer;
let spy: TestAgent;
let outsider: TestAgent;
let receiver: Receiver;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  organization = await buildOrganization(test);
  customer = await buildCustomer(organization);
  spy = await buildAgent(organization, { name: SPY, permission: 'administrator' });
  outsider = await buildAgent(organization, { name: OUTSIDER, permission: 'administrator' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
});

/** Everything the customer received. */
const seen: string[] = [];

const openCustomerSocket = async (): Promise<SocketClient> => {
  const address = `${test.app.listeningOrigin}/v3.5/customer/rtm/ws?organization_id=${organization.id}`;
  const client = await connectSocket(address);
  client.socket.on('message', (data) => void seen.push(data.toString()));
  await client.request('login', { token: `Bearer ${customer.token}` });
  return client;
};

const asCustomer = async (operation: string, body: object = {}) => {
  const answer = await callAs(test, organization, customer)(operation, body);
  seen.push(JSON.stringify(answer.body));
  return answer;
};

const asAgent = async (agent: TestAgent, operation: string, body: object) => {
  const answer = await callAsAgent(test)(agent, operation, body);
  expect(answer, operation).toMatchObject({ status: 200 });
  return answer.body;
};

const note = (more: object = {}) => ({ ...message(NOTE), visibility: 'agents', ...more });
const button = { title: NOTE, buttons: [{ text: NOTE, postback_id: 'more' }] };
const richNote = { type: 'rich_message', template_id: 'cards', elements: [button], visibility: 'agents' };

/** Every action of agents that customers must not see. */
const whisper = async (chat_id: string, thread_id: string): Promise<void> => {
  const self = { chat_id, user_id: spy.login, user_type: 'agent' };
  await asAgent(spy, 'add_user_to_chat', { ...self, visibility: 'agents' });
  const { event_id } = await asAgent(spy, 'send_event', { chat_id, event: note() });
  await asAgent(spy, 'send_event', { chat_id, event: { type: 'custom', content: { NOTE }, visibility: 'agents' } });
  const rich = await asAgent(spy, 'send_event', { chat_id, event: richNote });
  await asAgent(outsider, 'send_event', { chat_id, event: note() });
  await asAgent(spy, 'send_typing_indicator', { chat_id, is_typing: true });
  await asAgent(outsider, 'send_typing_indicator', { chat_id, is_typing: true, visibility: 'all' });
  test.clock.advance(1000);
  await asAgent(spy, 'mark_events_as_seen', { chat_id, seen_up_to: test.clock.now().toISOString() });
  const onNote = { chat_id, thread_id, event_id };
  await asAgent(spy, 'update_event_properties', { ...onNote, properties: { rating: { score: 1, comment: NOTE } } });
  await asAgent(spy, 'delete_event_properties', { ...onNote, properties: { rating: ['score'] } });
  const postback = { id: 'more', toggled: true };
  await asAgent(spy, 'send_rich_message_postback', { ...onNote, event_id: rich.event_id, postback });
  await asAgent(spy, 'tag_thread', { chat_id, thread_id, tag: NOTE });
  await asAgent(spy, 'untag_thread', { chat_id, thread_id, tag: NOTE });
  await asAgent(spy, 'tag_thread', { chat_id, thread_id, tag: NOTE });
  await asAgent(spy, 'follow_chat', { id: chat_id });
  await asAgent(spy, 'multicast', { recipients: { agents: { all: true } }, content: { text: NOTE } });
  await asAgent(spy, 'remove_user_from_chat', self);
  await asAgent(spy, 'add_user_to_chat', { ...self, visibility: 'agents' });
  const colleague = await buildAgent(organization, { name: 'Vera Visible' });
  const visible = { chat_id, user_id: colleague.login, user_type: 'agent' };
  await asAgent(spy, 'add_user_to_chat', { ...visible, visibility: 'all' });
  await asAgent(spy, 'remove_user_from_chat', visible);
};

/** Every operation through which a customer reads. */
const look = async (chat_id: string, thread_id: string): Promise<void> => {
  await asCustomer('list_chats');
  await asCustomer('get_chat', { chat_id });
  await asCustomer('get_chat', { chat_id, thread_id });
  await asCustomer('list_threads', { chat_id });
  await asCustomer('list_threads', { chat_id, min_events_count: 1 });
  await asCustomer('get_customer');
  await asCustomer('mark_events_as_seen', { chat_id, seen_up_to: test.clock.now().toISOString() });
  for (let number = 1; number <= 12; number++) {
    const target = { chat_id, thread_id, event_id: `${thread_id}_${number}` };
    await asCustomer('update_event_properties', { ...target, properties: { rating: { score: 1 } } });
    await asCustomer('delete_event_properties', { ...target, properties: { rating: ['score'] } });
    await asCustomer('send_rich_message_postback', { ...target, postback: { id: 'more', toggled: true } });
  }
};

it('never shows private notes and silent supervisors to customers, in responses or pushes', async () => {
  await buildWebhook(organization, {
    url: receiver.url,
    action: 'incoming_event',
    additionalData: ['chat_presence_user_ids'],
  });
  const socket = await openCustomerSocket();
  const started = await asCustomer('start_chat', { chat: { thread: { events: [message('Hello')] } } });
  const { chat_id, thread_id } = started.body;
  await whisper(chat_id, thread_id);
  const transfer = { id: chat_id, target: { type: 'group', ids: [0] }, ignore_requester_presence: true };
  await asAgent(outsider, 'transfer_chat', transfer);
  await look(chat_id, thread_id);
  await (await openCustomerSocket()).close();
  await asAgent(organization.owner, 'send_event', { chat_id, event: message('Still here') });
  await asAgent(spy, 'deactivate_chat', { id: chat_id });
  expect((await nextPush(socket, 'chat_deactivated')).payload).toEqual({ chat_id, thread_id });
  await look(chat_id, thread_id);
  await asAgent(organization.owner, 'resume_chat', { chat: { id: chat_id } });
  await look(chat_id, thread_id);
  const users = [{ id: customer.id, type: 'customer' }];
  await asAgent(spy, 'start_chat', { active: false, chat: { users, thread: { events: [note()] } } });
  await asAgent(organization.owner, 'send_event', { chat_id, event: message('The end') });
  while ((await nextPush(socket, 'incoming_event')).payload.event.text !== 'The end');
  await socket.close();

  const aliases = [spy, outsider].map(({ login }) =>
    test.context.services.secrets.pseudonym(`${organization.id} ${login}`),
  );
  for (const secret of [NOTE, SPY, OUTSIDER, spy.login, outsider.login, ...aliases])
    for (const text of seen) expect(text).not.toContain(secret);

  const agents = JSON.stringify(await asAgent(organization.owner, 'get_chat', { chat_id, thread_id }));
  for (const secret of [NOTE, SPY, spy.login, outsider.login]) expect(agents).toContain(secret);

  const archive = await test.app.inject({
    url: `/chats/${thread_id}`,
    headers: { authorization: organization.owner.basic, 'x-api-version': '2' },
  });
  expect(archive.statusCode).toBe(200);
  // Agents see supervisors in the archive, apart from the agents who answered.
  const { agents: answered, supervisors } = archive.json();
  const names = (users: { display_name: string }[]) => users.map(({ display_name }) => display_name);
  for (const secret of [SPY, OUTSIDER]) expect(names(answered)).not.toContain(secret);
  expect(names(supervisors)).toContain(SPY);

  await test.runDueJobs();
  for (const { body } of receiver.received) {
    expect(body.additional_data.chat_presence_user_ids).not.toContain(spy.login);
    expect(body.additional_data.chat_presence_user_ids).not.toContain(outsider.login);
  }
  expect(receiver.received.length).toBeGreaterThan(0);
});
