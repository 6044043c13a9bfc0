import * as contract from '#contracts/agent/properties.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';
import { propertyChanges } from '#server/surfaces/chat-v3/property-changes.ts';

const agentAction = action<OrganizationScope>();

export const propertyActions: Action<OrganizationScope>[] = [
  agentAction(contract.updateChatProperties, propertyChanges.updateChat),
  agentAction(contract.deleteChatProperties, propertyChanges.deleteChat),
  agentAction(contract.updateThreadProperties, propertyChanges.updateThread),
  agentAction(contract.deleteThreadProperties, propertyChanges.deleteThread),
  agentAction(contract.updateEventProperties, propertyChanges.updateEvent),
  agentAction(contract.deleteEventProperties, propertyChanges.deleteEvent),
];
