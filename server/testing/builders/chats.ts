import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import type { OpenedThread } from '#server/domain/support/chats/lifecycle/open-thread.ts';
import { startChat } from '#server/domain/support/chats/lifecycle/start-chat.ts';
import { addUser } from '#server/domain/support/chats/participants/change-users.ts';
import type { EventDraft } from '#server/domain/support/chats/records.ts';
import type { Permission } from '#server/storage/tables/agents.ts';
import type { TestAgent, TestCustomer, TestOrganization } from './factories.ts';

export const messageDraft = (text: string, customId?: string): EventDraft => ({
  content: { type: 'message', text },
  visibility: 'all',
  properties: {},
  ...(customId === undefined ? {} : { customId }),
});

/** A card with a button for each postback. */
export const richDraft = (...postbackIds: string[]): EventDraft => ({
  content: {
    type: 'rich_message',
    templateId: 'cards',
    elements: [{ title: 'A card', buttons: postbackIds.map((id) => ({ text: id, postback_id: id })) }],
  },
  visibility: 'all',
  properties: {},
});

export const customerScope = ({ id, scope }: TestOrganization, customer: TestCustomer): OrganizationScope =>
  openOrganizationScope(scope.services, { kind: 'customer', id: customer.id }, id);

export const agentScope = (
  { id, scope }: TestOrganization,
  { login }: TestAgent,
  permission: Permission = 'administrator',
  groupIds: number[] = [0],
): OrganizationScope => openOrganizationScope(scope.services, { kind: 'agent', id: login, permission, groupIds }, id);

/** Adds an agent to a chat, visible to the customer or not. */
export const joinChat = (
  organization: TestOrganization,
  agent: TestAgent,
  chatId: string,
  visibility: 'all' | 'agents' = 'all',
): Promise<void> =>
  addUser(agentScope(organization, agent), {
    chatId,
    user: { kind: 'agent', id: agent.login },
    visibility,
    ignoreRequesterPresence: false,
  });

export const buildChat = (
  organization: TestOrganization,
  customer: TestCustomer,
  input: { texts?: string[]; active?: boolean; continuous?: boolean; groupIds?: number[] } = {},
): Promise<OpenedThread> =>
  startChat(customerScope(organization, customer), {
    groupIds: input.groupIds,
    events: (input.texts ?? []).map((text) => messageDraft(text)),
    active: input.active ?? true,
    continuous: input.continuous ?? false,
  });
