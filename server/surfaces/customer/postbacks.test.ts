import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { sendPostback } from '#server/domain/support/chats/append/send-postback.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
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
let ids: { chat_id: string; thread_id: string; event_id: string };

const button = (id: string, more: object = {}) => ({ text: id, postback_id: id, ...more });
const cards = (...elements: object[]) => ({ type: 'rich_message', template_id: 'cards', elements });

beforeAll(async () => {
  organization = await buildOrganization(test);
});
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  const first = { title: 'One', buttons: [button('yes', { user_ids: ['forged'], type: 'message' }), button('no')] };
  const events = [message('hi'), cards(first, { title: 'Two' }, { title: 'Three', buttons: [button('yes')] })];
  const { body } = await call('start_chat', { chat: { thread: { events } } });
  ids = { chat_id: body.chat_id, thread_id: body.thread_id, event_id: body.event_ids[1] };
});

const press = (id: string, toggled: unknown = true, where: object = ids, as = call) =>
  as('send_rich_message_postback', { ...where, postback: { id, toggled } });

const pressed = async (): Promise<string[][]> => {
  const { body } = await call('get_chat', { chat_id: ids.chat_id });
  const { elements } = body.thread.events.find(({ id }: { id: string }) => id === ids.event_id);
  return elements.flatMap(({ buttons = [] }: { buttons?: { user_ids: string[] }[] }) =>
    buttons.map(({ user_ids }) => user_ids),
  );
};

describe('send_rich_message_postback', () => {
  it('records who toggled a button, at any position, until it is released', async () => {
    expect(await pressed()).toEqual([[], [], []]);
    expect(await press('yes')).toMatchObject({ status: 200, body: {} });
    await press('yes');
    expect(await pressed()).toEqual([[customer.id], [], [customer.id]]);
    await press('no');
    await press('yes', false);
    await press('yes', false);
    expect(await pressed()).toEqual([[], [customer.id], []]);
  });

  it('updates a cached list', async () => {
    const listed = async () => {
      const { body } = await call('list_chats', {});
      const last = body.chats_summary[0].last_event_per_type.rich_message.event;
      return { pressed: last.elements[0].buttons[0].user_ids, properties: last.properties };
    };
    expect(await listed()).toEqual({ pressed: [], properties: undefined });
    await press('yes');
    expect(await listed()).toEqual({ pressed: [customer.id], properties: undefined });
    await call('update_event_properties', { ...ids, properties: { rating: { score: 1 } } });
    await press('yes', false);
    expect(await listed()).toEqual({ pressed: [], properties: { rating: { score: 1 } } });
  });

  it('keeps the rest of the message unchanged', async () => {
    await press('yes');
    const { thread } = (await call('get_chat', { chat_id: ids.chat_id })).body;
    expect(thread.events[1]).toMatchObject({
      template_id: 'cards',
      elements: [{ title: 'One', buttons: [{ type: 'message' }, {}] }, { title: 'Two' }, { title: 'Three' }],
    });
  });

  it('identifies agents as customers know them', async () => {
    const actor: AgentActor = { kind: 'agent', id: organization.owner.login, permission: 'owner', groupIds: [] };
    const agent = openOrganizationScope(organization.scope.services, actor, organization.id);
    const { chat_id: chatId, thread_id: threadId, event_id: eventId } = ids;
    await Promise.all([
      sendPostback(agent, { chatId, threadId, eventId, postback: { id: 'no', toggled: true } }),
      press('no'),
    ]);
    const [, users] = await pressed();
    expect(users).toHaveLength(2);
    expect(users).toContain(customer.id);
    expect(users).not.toContain(organization.owner.login);
  });

  it('works in an archived thread too', async () => {
    await call('deactivate_chat', { id: ids.chat_id });
    expect((await press('no')).status).toBe(200);
    expect((await pressed())[1]).toEqual([customer.id]);
  });

  it('requires a button of a rich message in the given thread and chat', async () => {
    const { body: other } = await call('start_chat', {
      chat: { thread: { events: [cards({ buttons: [button('yes')] })] } },
    });
    expect(await press('maybe')).toMatchObject(errorResponse(400, 'validation'));
    expect(await press('')).toMatchObject(errorResponse(400, 'validation'));
    expect(await press('yes', 'true')).toMatchObject(errorResponse(400, 'validation'));
    expect(await press('yes', true, { ...ids, event_id: `${ids.thread_id}_1` })).toMatchObject(
      errorResponse(400, 'validation'),
    );
    const elsewhere = [
      { ...ids, chat_id: other.chat_id },
      { ...ids, thread_id: other.thread_id },
      { ...ids, event_id: other.event_ids[0] },
      { ...ids, thread_id: other.thread_id, event_id: other.event_ids[0] },
      { ...ids, event_id: `${ids.thread_id}_9` },
      { ...ids, chat_id: 'NOSUCHCHAT' },
    ];
    for (const where of elsewhere)
      expect(await press('yes', true, where)).toMatchObject(errorResponse(404, 'not_found'));
  });

  it('does not find another customer’s chat', async () => {
    const stranger = callAs(test, organization, await buildCustomer(organization));
    expect(await press('yes', true, ids, stranger)).toMatchObject(errorResponse(404, 'not_found'));
    expect(await pressed()).toEqual([[], [], []]);
  });
});
