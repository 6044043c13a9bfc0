import type { OrganizationScope } from '../../../scope.ts';
import type { ChatSummary } from '../records.ts';
import { type EventPointer, loadLastEvents } from './event-cache.ts';
import { CHAT_IN_LIST, readUsers, USERS, type UserColumns } from './read-sql.ts';

/** Columns of chat `c` whose users are joined. */
export const SUMMARY = `${CHAT_IN_LIST}, c.last_events as "lastEvents", ${USERS}`;

export interface SummaryRow extends UserColumns, Omit<ChatSummary, 'users' | 'lastEventPerType'> {
  lastEvents: Record<string, EventPointer>;
}

export const readSummaries = async (scope: OrganizationScope, rows: SummaryRow[]): Promise<ChatSummary[]> => {
  const lastEventOf = await loadLastEvents(
    scope,
    rows.flatMap(({ lastEvents }) => Object.values(lastEvents)),
  );
  return rows.map((row) => {
    const { id, customerId, groupIds, properties, active, lastThreadId, lastThreadCreatedAt } = row;
    const lastEventPerType: ChatSummary['lastEventPerType'] = {};
    for (const [type, pointer] of Object.entries(row.lastEvents)) {
      const last = lastEventOf(pointer);
      if (last) lastEventPerType[type] = last;
    }
    const chat = { id, customerId, groupIds, properties, active, lastThreadId, lastThreadCreatedAt };
    return { ...chat, users: readUsers(row), lastEventPerType };
  });
};
