import * as contract from '#contracts/agent/properties.ts';
import { deleteProperties, updateProperties } from '#server/domain/properties/change-properties.ts';
import type { PropertyTarget } from '#server/domain/properties/open-target.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { type Action, action } from '#server/http/route.ts';

const agentAction = action<OrganizationScope>();

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

export const propertyActions: Action<OrganizationScope>[] = [
  agentAction(contract.updateChatProperties, async ({ body, scope }) => {
    await updateProperties(scope, readChat(body), body.properties);
    return {};
  }),
  agentAction(contract.deleteChatProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readChat(body), body.properties);
    return {};
  }),
  agentAction(contract.updateThreadProperties, async ({ body, scope }) => {
    await updateProperties(scope, readThread(body), body.properties);
    return {};
  }),
  agentAction(contract.deleteThreadProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readThread(body), body.properties);
    return {};
  }),
  agentAction(contract.updateEventProperties, async ({ body, scope }) => {
    await updateProperties(scope, readEvent(body), body.properties);
    return {};
  }),
  agentAction(contract.deleteEventProperties, async ({ body, scope }) => {
    await deleteProperties(scope, readEvent(body), body.properties);
    return {};
  }),
];
