import type { Selectable } from 'kysely';
import type { EventsTable } from '#server/storage/tables/chats.ts';
import { notFound } from '../../../errors.ts';
import { eventId } from '../../../ids.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { visibleTo } from './load-events.ts';

export interface EventRef {
  chatId: string;
  threadId: string;
  eventId: string;
}

const MAX_NUMBER = 2_147_483_647;

/** Returns an event that the actor may see. The caller must check access to the chat first. */
export const getEventRow = async (scope: OrganizationScope, address: EventRef): Promise<Selectable<EventsTable>> => {
  const { chatId, threadId } = address;
  const number = Number(address.eventId.slice(threadId.length + 1));
  const isNumber = Number.isInteger(number) && number > 0 && number <= MAX_NUMBER;
  const isNamed = isNumber && eventId(threadId, number) === address.eventId;
  const row = isNamed
    ? await scope
        .from('events')
        .where('threadId', '=', threadId)
        .where('number', '=', number)
        .where('chatId', '=', chatId)
        .where('visibility', 'in', visibleTo(scope))
        .selectAll()
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('Event');
  return row;
};
