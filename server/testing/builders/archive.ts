import type { AgentActor } from '#server/domain/access.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { startSession } from '#server/domain/support/agents/sign-in/sessions.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { startChat } from '#server/domain/support/chats/lifecycle/start-chat.ts';
import type { EventContent, EventDraft } from '#server/domain/support/chats/records.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, type TestAgent, type TestOrganization } from '#server/testing/builders/factories.ts';

/** Sends GET requests as the given agent. */
export const reader =
  ({ app }: TestApp, agent: TestAgent) =>
  async (url: string, headers: Record<string, string> = {}) => {
    const response = await app.inject({ method: 'GET', url, headers: { ...headersOf(agent), ...headers } });
    return { status: response.statusCode, body: response.json() };
  };

interface ConsoleAgent extends TestAgent {
  headers: Record<string, string>;
}

/** The same agent with the session cookie and origin of the console. */
export const asConsoleAgent = async (organization: TestOrganization, agent: TestAgent): Promise<ConsoleAgent> => {
  const { secret } = await startSession(organization.scope, { login: agent.login });
  return { ...agent, headers: { cookie: `parley_session=${secret}`, origin: 'http://parley.test' } };
};

export const headersOf = ({ basic, headers }: TestAgent & Partial<ConsoleAgent>): Record<string, string> =>
  headers ?? { authorization: basic };

export const say = (content: EventContent | string, visibility: EventDraft['visibility'] = 'all'): EventDraft => ({
  content: typeof content === 'string' ? { type: 'message', text: content } : content,
  visibility,
  properties: {},
});

export interface ChatOptions {
  customerId?: string;
  groupIds?: number[];
  events?: EventDraft[];
  properties?: EventDraft['properties'];
  tags?: string[];
  /** Seconds until the customer closes the chat; without it, the chat stays open. */
  seconds?: number;
}

export const asCustomer = ({ context }: TestApp, { id }: TestOrganization, customerId: string): OrganizationScope =>
  openOrganizationScope(context.services, { kind: 'customer', id: customerId }, id);

export const asOwner = ({ context }: TestApp, { id, owner }: TestOrganization): OrganizationScope => {
  const actor: AgentActor = { kind: 'agent', id: owner.login, permission: 'owner', groupIds: [0] };
  return openOrganizationScope(context.services, actor, id);
};

/** Creates a chat as a customer, and closes it if `seconds` is given. */
export const arrangeChat = async (test: TestApp, organization: TestOrganization, chat: ChatOptions = {}) => {
  const customerId = chat.customerId ?? (await buildCustomer(organization)).id;
  const customer = asCustomer(test, organization, customerId);
  const { chatId, threadId } = await startChat(customer, {
    active: true,
    continuous: true,
    groupIds: chat.groupIds,
    events: chat.events ?? [],
  });
  if (chat.properties) {
    const properties = JSON.stringify(chat.properties);
    await organization.scope.update('threads').where('id', '=', threadId).set({ properties }).execute();
  }
  if (chat.tags)
    await organization.scope.update('threads').where('id', '=', threadId).set({ tags: chat.tags }).execute();
  if (chat.seconds !== undefined) {
    test.clock.advance(chat.seconds * 1000);
    await deactivateChat(customer, { chatId });
  }
  return { chatId, threadId, customerId };
};

export const answer = (test: TestApp, organization: TestOrganization, chatId: string, event: EventDraft) =>
  sendEvent(asOwner(test, organization), { chatId, event, attachToLastThread: false });
