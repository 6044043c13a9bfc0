import type { OrganizationScope } from '#server/domain/scope.ts';
import { deleteProperties, updateProperties } from '#server/domain/support/properties/change-properties.ts';
import type { PropertyTarget } from '#server/domain/support/properties/open-target.ts';

interface OnChat {
  id: string;
}

interface OnThread {
  chat_id: string;
  thread_id: string;
}

interface OnEvent extends OnThread {
  event_id: string;
}

const readChat = ({ id }: OnChat): PropertyTarget => ({ of: 'chat', chatId: id });
const readThread = (body: OnThread): PropertyTarget => ({
  of: 'thread',
  chatId: body.chat_id,
  threadId: body.thread_id,
});
const readEvent = (body: OnEvent): PropertyTarget => ({
  of: 'event',
  chatId: body.chat_id,
  threadId: body.thread_id,
  eventId: body.event_id,
});

type Change<P> = (scope: OrganizationScope, target: PropertyTarget, properties: P) => Promise<void>;

const changing =
  <Target, P>(change: Change<P>, read: (body: Target) => PropertyTarget) =>
  async ({ body, scope }: { body: Target & { properties: P }; scope: OrganizationScope }): Promise<object> => {
    await change(scope, read(body), body.properties);
    return {};
  };

/** Customers and agents use the same operations; the domain checks who may change which property. */
export const propertyChanges = {
  updateChat: changing(updateProperties, readChat),
  deleteChat: changing(deleteProperties, readChat),
  updateThread: changing(updateProperties, readThread),
  deleteThread: changing(deleteProperties, readThread),
  updateEvent: changing(updateProperties, readEvent),
  deleteEvent: changing(deleteProperties, readEvent),
};
