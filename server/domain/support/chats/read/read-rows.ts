import type { Selectable } from 'kysely';
import type { EventsTable, ThreadsTable } from '#server/storage/tables/chats.ts';
import { eventId } from '../../../ids.ts';
import { contentOf } from '../append/append-statement.ts';
import type { Author, ChatRecord, EventRecord, ThreadRecord } from '../records.ts';

const authorOf = (kind: EventsTable['authorKind'], id: string | null): Author =>
  kind === 'system' || id === null ? { kind: 'system' } : { kind, id };

export const toEvent = (row: Omit<Selectable<EventsTable>, 'organizationId'>): EventRecord => ({
  id: eventId(row.threadId, row.number),
  chatId: row.chatId,
  threadId: row.threadId,
  number: row.number,
  author: authorOf(row.authorKind, row.authorId),
  createdAt: row.createdAt,
  content: contentOf(row.type, row.content),
  ...(row.customId === null ? {} : { customId: row.customId }),
  visibility: row.visibility,
  properties: row.properties,
});

export const toThread = (row: Selectable<ThreadsTable>): ThreadRecord => ({
  id: row.id,
  chatId: row.chatId,
  active: row.active,
  groupIds: row.groupIds,
  properties: row.properties,
  tags: row.tags,
  ...(row.previousThreadId === null ? {} : { previousThreadId: row.previousThreadId }),
  ...(row.nextThreadId === null ? {} : { nextThreadId: row.nextThreadId }),
  createdAt: row.createdAt,
  ...(row.closedAt === null ? {} : { closedAt: row.closedAt }),
});

export const toChat = (row: ChatRecord): ChatRecord => ({
  id: row.id,
  customerId: row.customerId,
  groupIds: row.groupIds,
  properties: row.properties,
  active: row.active,
  continuous: row.continuous,
  lastThreadId: row.lastThreadId,
  lastThreadCreatedAt: row.lastThreadCreatedAt,
  createdAt: row.createdAt,
});
