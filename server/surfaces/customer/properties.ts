import * as contract from '#contracts/customer/properties.ts';
import { deleteProperties, updateProperties } from '#server/domain/properties/change-properties.ts';
import { listGroupProperties, listLicenceProperties } from '#server/domain/properties/list-properties.ts';
import type { PropertyTarget } from '#server/domain/properties/open-target.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';

const customerAction = action<OrganizationScope>();

const readChat = ({ id }: { id: string }): PropertyTarget => ({ of: 'chat', chatId: id });
const readThread = (body: { chat_id: string; thread_id: string }): PropertyTarget => ({
  of: 'thread',
  chatId: body.chat_id,
  threadId: body.thread_id,
});
const readEvent = (body: { chat_id: string; thread_id: string; event_id: string }): PropertyTarget => ({
  of: 'event',
  chatId: body.chat_id,
  threadId: body.thread_id,
  eventId: body.event_id,
});

/** An empty text asks for no namespace in particular. */
const readFilter = ({ namespace, name }: { namespace?: string; name?: string }) => ({
  namespace: namespace || undefined,
  name: name || undefined,
});

export const propertyActions: Action<OrganizationScope>[] = [
  customerAction(contract.updateChatProperties, async ({ body, scope }) => {
    await updateProperties(scope, readChat(body), body.properties);
    return {};
  }),
  customerAction(contract.deleteChatProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readChat(body), body.properties);
    return {};
  }),
  customerAction(contract.updateThreadProperties, async ({ body, scope }) => {
    await updateProperties(scope, readThread(body), body.properties);
    return {};
  }),
  customerAction(contract.deleteThreadProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readThread(body), body.properties);
    return {};
  }),
  customerAction(contract.updateEventProperties, async ({ body, scope }) => {
    await updateProperties(scope, readEvent(body), body.properties);
    return {};
  }),
  customerAction(contract.deleteEventProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readEvent(body), body.properties);
    return {};
  }),
  customerAction(contract.listLicenseProperties, ({ query, scope }) => listLicenceProperties(scope, readFilter(query))),
  customerAction(contract.listGroupProperties, ({ query, scope }) =>
    listGroupProperties(scope, { groupId: query.id, ...readFilter(query) }),
  ),
];
