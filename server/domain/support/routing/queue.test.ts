import { beforeEach, describe, expect, it } from 'vitest';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { readQueuePositions } from './read-queue-positions.ts';
import { reassignChats, reassignUnansweredChat } from './reassign-chats.ts';
import { transferChat } from './transfer-chat.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let alma: TestAgent;
let published: DomainEvent[];

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  await buildGroup(organization, SALES);
  alma = await buildAgent(organization, { name: 'Alma', groupIds: [SALES] });
  await organization.scope.update('agents').set({ maxChatsCount: 1 }).execute();
  published = [];
  test.context.ports.bus.subscribe(organizationTopic(organization.id), (text) =>
    published.push(readEvent(text as string)),
  );
});

const setStatus = ({ login }: TestAgent, status: 'accepting chats' | 'not accepting chats' | 'offline') =>
  setAgentStatus(organization.scope, { login, status });
const begin = async (input: Parameters<typeof buildChat>[2] = {}) => {
  test.clock.advance(1000);
  const customer = await buildCustomer(organization);
  const chat = await buildChat(organization, customer, { continuous: true, ...input });
  const close = () => deactivateChat(customerScope(organization, customer), { chatId: chat.chatId });
  return { ...chat, customer, close };
};
const assigneeOf = async ({ chatId }: { chatId: string }) =>
  (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
    .assigneeId;
const stayOf = ({ chatId }: { chatId: string }) =>
  organization.scope
    .from('queueEntries')
    .where('chatId', '=', chatId)
    .orderBy('id', 'desc')
    .selectAll()
    .executeTakeFirst();
const messagesOf = async ({ chatId }: { chatId: string }) =>
  (await getChat(organization.scope, { chatId })).thread!.events.flatMap(({ content }) =>
    content.type === 'system_message' ? [content.systemMessageType] : [],
  );
const ofType = <T extends DomainEvent['type']>(type: T) =>
  published.filter((event): event is Extract<DomainEvent, { type: T }> => event.type === type);

describe('a chat that no agent can take', () => {
  it('is queued with a position and assigned in order', async () => {
    await setStatus(alma, 'accepting chats');
    const [first, second, third] = [await begin(), await begin(), await begin()];
    expect(await assigneeOf(first)).toBe(alma.login);
    expect(await stayOf(first)).toBeUndefined();
    const started = ofType('chat_started').map(({ chat }) => chat.thread?.queue?.position);
    expect(started).toEqual([undefined, 1, 2]);
    const positions = await readQueuePositions(organization.scope, [first.threadId, third.threadId]);
    expect([...positions]).toEqual([[third.threadId, { position: 2, waitTime: 120, queuedAt: test.clock.now() }]]);

    published = [];
    await first.close();
    expect(await assigneeOf(second)).toBe(alma.login);
    expect(await assigneeOf(third)).toBeNull();
    expect(await stayOf(second)).toMatchObject({ outcome: 'assigned', leftAt: test.clock.now() });
    expect(await messagesOf(second)).toEqual(['agent_joined']);
    expect(ofType('chat_transferred')).toMatchObject([
      { chatId: second.chatId, reason: 'assigned', to: { agentIds: [alma.login] } },
    ]);
    expect(ofType('user_added')).toMatchObject([{ chatId: second.chatId, user: { id: alma.login } }]);
    // The chat ahead of it waited for one second.
    expect(ofType('queue_positions_changed')).toMatchObject([
      { groupIds: [0], positions: [{ chatId: third.chatId, queue: { position: 1, waitTime: 1 } }] },
    ]);
  });

  it('is queued while its group is offline and does not block other groups', async () => {
    const inSales = await begin({ groupIds: [SALES] });
    const general = await begin();
    await setStatus(organization.owner, 'accepting chats');
    expect(await assigneeOf(inSales)).toBeNull();
    expect(await assigneeOf(general)).toBe(organization.owner.login);
    await setStatus(alma, 'accepting chats');
    expect(await assigneeOf(inSales)).toBe(alma.login);
  });

  it('leaves the queue as "left" when the customer closes it and as "closed" otherwise', async () => {
    const [one, two] = [await begin(), await begin()];
    published = [];
    await one.close();
    await deactivateChat(organization.scope, { chatId: two.chatId });
    expect(await stayOf(one)).toMatchObject({ outcome: 'left' });
    expect(await stayOf(two)).toMatchObject({ outcome: 'closed' });
    expect(ofType('queue_positions_changed')).toHaveLength(1);
  });

  it('is rejected when all agents are offline and it is not continuous', async () => {
    await expect(begin({ continuous: false })).rejects.toMatchObject({ code: 'groups_offline' });
    await setStatus(alma, 'accepting chats');
    await begin();
    expect(await assigneeOf(await begin({ continuous: false }))).toBeNull();
  });

  it('gets a new wait estimate when a chat behind it is transferred to an agent', async () => {
    await setStatus(alma, 'accepting chats');
    await begin();
    const [ahead, behind] = [await begin(), await begin()];
    published = [];
    await transferChat(organization.scope, {
      chatId: behind.chatId,
      target: { type: 'agent', ids: [organization.owner.login] },
    });
    // The transferred chat had just been queued, so the average wait is zero.
    expect(ofType('queue_positions_changed')).toMatchObject([
      { positions: [{ chatId: ahead.chatId, queue: { position: 1, waitTime: 0 } }] },
    ]);
  });

  it('is assigned to the agent who writes in it, but not to one who writes a note', async () => {
    const chat = await begin();
    const actor = { kind: 'agent', id: alma.login, permission: 'normal', groupIds: [0] } as const;
    const scope = openOrganizationScope(test.context.services, { ...actor, groupIds: [0] }, organization.id);
    const send = (visibility: 'all' | 'agents') =>
      sendEvent(scope, {
        chatId: chat.chatId,
        event: { ...messageDraft('Hello'), visibility },
        attachToLastThread: false,
      });
    await send('agents');
    expect(await assigneeOf(chat)).toBeNull();
    await send('all');
    expect(await assigneeOf(chat)).toBe(alma.login);
    expect(await stayOf(chat)).toMatchObject({ outcome: 'assigned' });
  });
});

describe('an agent who goes offline', () => {
  it('returns open chats to the queue before new ones', async () => {
    await setStatus(alma, 'accepting chats');
    const mine = await begin();
    const waiting = await begin();
    await setStatus(alma, 'offline');
    expect(await assigneeOf(mine)).toBeNull();
    expect(await stayOf(mine)).toMatchObject({ priority: 1 });
    expect(await messagesOf(mine)).toEqual(['routing.unassigned_remotely_signed_out']);
    expect(ofType('chat_transferred').at(-1)).toMatchObject({ reason: 'unassigned', queue: { position: 1 } });
    expect(ofType('queue_positions_changed').at(-1)).toMatchObject({
      positions: [{ chatId: waiting.chatId, queue: { position: 2 } }],
    });
    await setStatus(organization.owner, 'accepting chats');
    expect(await assigneeOf(mine)).toBe(organization.owner.login);
    expect(await assigneeOf(waiting)).toBeNull();
  });

  it('has open chats reassigned immediately when another agent has room', async () => {
    await setStatus(alma, 'accepting chats');
    const mine = await begin();
    await setStatus(organization.owner, 'accepting chats');
    published = [];
    await organization.scope.transaction((tx) => reassignChats(tx, alma.login, 'disconnected'));
    expect(await assigneeOf(mine)).toBe(organization.owner.login);
    expect(await messagesOf(mine)).toEqual(['routing.assigned_disconnected']);
    expect(ofType('user_removed')).toMatchObject([{ user: { id: alma.login } }]);
    expect(await stayOf(mine)).toBeUndefined();
  });

  it('gets the next queued chat, or makes the group online, when a single chat is taken away', async () => {
    const takeAway = (chatId: string) =>
      organization.scope.transaction((tx) => reassignChats(tx, alma.login, 'other', [chatId]));
    await setStatus(alma, 'accepting chats');
    const [mine, waiting] = [await begin(), await begin()];
    await takeAway(mine.chatId);
    expect([await assigneeOf(mine), await assigneeOf(waiting)]).toEqual([null, alma.login]);
    await mine.close();
    published = [];
    await takeAway(waiting.chatId);
    expect(await assigneeOf(waiting)).toBeNull();
    expect(ofType('group_statuses_changed')).toMatchObject([
      {
        groups: [
          { id: 0, status: 'online' },
          { id: SALES, status: 'online' },
        ],
      },
    ]);
  });

  it('keeps an unanswered chat while no other agent has room', async () => {
    await setStatus(alma, 'accepting chats');
    const { chatId } = await begin();
    const row = { id: chatId, groupIds: [0], assigneeId: alma.login };
    const tryIt = () => organization.scope.transaction((tx) => reassignUnansweredChat(tx, row));
    expect(await tryIt()).toBe(false);
    await setStatus(organization.owner, 'accepting chats');
    expect(await tryIt()).toBe(true);
    expect(await assigneeOf({ chatId })).toBe(organization.owner.login);
  });
});
