import type { LoginResponse } from '#contracts/customer/login.ts';
import { requireCustomer } from '#server/domain/access.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listChats } from '#server/domain/support/chats/read/list-chats.ts';
import type { ChatSummary } from '#server/domain/support/chats/records.ts';
import {
  type DynamicConfiguration,
  getDynamicConfiguration,
} from '#server/domain/support/configuration/get-dynamic-configuration.ts';
import { getCustomer } from '#server/domain/support/customers/get-customer.ts';
import { hasActiveChat } from '#server/domain/support/customers/lock-customer.ts';
import { findShownGreeting } from '#server/domain/support/greetings/find-shown-greeting.ts';
import type { ShownGreeting } from '#server/domain/support/greetings/records.ts';
import { findCurrentVisit } from '#server/domain/support/visits/current-visit.ts';
import { presentCustomer } from '#server/surfaces/chat-v3/present-customer.ts';
import { presentGreeting } from '#server/surfaces/chat-v3/present-greeting.ts';
import { presentTo } from './present.ts';

const CHATS_AT_LOGIN = 25;

const hasUnread = ({ users, lastEventPerType }: ChatSummary): boolean => {
  const seenUpTo = users.find(({ kind }) => kind === 'customer')?.seenUpTo;
  return Object.values(lastEventPerType).some(({ event }) => !seenUpTo || event.createdAt > seenUpTo);
};

/** The configuration of the group of the current page. */
const readConfiguration = async (scope: OrganizationScope, url: string | undefined): Promise<DynamicConfiguration> => {
  const visit = await findCurrentVisit(scope, requireCustomer(scope.actor).id);
  return getDynamicConfiguration(scope, { groupId: visit?.groupId, url });
};

/** Clients read here whether agents are online, under a name that differs from the operation's. */
const presentDynamic = (configuration: DynamicConfiguration): LoginResponse['__priv_dynamic_config'] => ({
  organization_id: configuration.organizationId,
  group_id: configuration.groupId,
  customer_groups: { monitoring: { id: configuration.groupId } },
  online_groups_ids: configuration.onlineGroupIds,
  domain_allowed: configuration.domainAllowed,
  config_version: configuration.configVersion,
  localization_version: configuration.localizationVersion,
  language: configuration.language,
});

const presentShown = (scope: OrganizationScope, greeting: ShownGreeting): LoginResponse['greeting'] => ({
  ...presentGreeting(presentTo(scope), greeting),
  accepted: greeting.accepted,
});

/** The response to a login: the customer, the visit and the configuration. */
export const presentLogin = async (scope: OrganizationScope, url: string | undefined): Promise<LoginResponse> => {
  const [customer, configuration, chats, greeting] = await Promise.all([
    getCustomer(scope),
    readConfiguration(scope, url),
    listChats(scope, { limit: CHATS_AT_LOGIN, filters: {} }),
    findShownGreeting(scope),
  ]);
  return {
    customer_id: customer.id,
    customer: presentCustomer(customer),
    has_active_thread: await hasActiveChat(scope, customer.id),
    chats: chats.items.map((chat) => ({ chat_id: chat.id, has_unread_events: hasUnread(chat) })),
    ...(greeting ? { greeting: presentShown(scope, greeting) } : {}),
    __priv_dynamic_config: presentDynamic(configuration),
  };
};
