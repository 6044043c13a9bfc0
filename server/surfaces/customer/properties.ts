import * as contract from '#contracts/customer/properties.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listGroupProperties, listLicenseProperties } from '#server/domain/support/properties/list-properties.ts';
import { type Action, action } from '#server/http/route.ts';
import { propertyChanges } from '#server/surfaces/chat-v3/property-changes.ts';

const customerAction = action<OrganizationScope>();

/** An empty text means no filter. */
const readFilter = ({ namespace, name }: { namespace?: string; name?: string }) => ({
  namespace: namespace || undefined,
  name: name || undefined,
});

export const propertyActions: Action<OrganizationScope>[] = [
  customerAction(contract.updateChatProperties, propertyChanges.updateChat),
  customerAction(contract.deleteChatProperties, propertyChanges.deleteChat),
  customerAction(contract.updateThreadProperties, propertyChanges.updateThread),
  customerAction(contract.deleteThreadProperties, propertyChanges.deleteThread),
  customerAction(contract.updateEventProperties, propertyChanges.updateEvent),
  customerAction(contract.deleteEventProperties, propertyChanges.deleteEvent),
  customerAction(contract.listLicenseProperties, ({ query, scope }) => listLicenseProperties(scope, readFilter(query))),
  customerAction(contract.listGroupProperties, ({ query, scope }) =>
    listGroupProperties(scope, { groupId: query.id, ...readFilter(query) }),
  ),
];
