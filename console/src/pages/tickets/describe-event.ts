import type { TicketEvent } from '#contracts/agent/tickets.ts';
import { STATUS_NAMES, type Status } from './filters.ts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (isRecord(value)) return textOf(value.name ?? value.id ?? '');
  if (value === null || value === undefined || value === '') return 'nobody';
  return String(value);
};

const statusText = (value: unknown): string => STATUS_NAMES[value as Status]?.toLowerCase() ?? textOf(value);

const MERGES = {
  from: { done: 'merged another ticket into this one', undone: 'took a merged ticket out again' },
  into: { done: 'merged this ticket into another', undone: 'took this ticket out of another again' },
};

/** What happened, as the rest of a sentence that begins with who did it. `groupName` tells groups by name. */
export const describeEvent = (event: TicketEvent, groupName: (id: number) => string): string => {
  const { type, from, to, rate, direction = 'into', undone, ticket } = event;
  switch (type) {
    case 'assignee_changed':
      return to === null || to === undefined ? 'took the assignment back' : `assigned it to ${textOf(to)}`;
    case 'status_changed':
      return `changed the status from ${statusText(from)} to ${statusText(to)}`;
    case 'group_changed':
      return `moved it to ${Array.isArray(to) ? to.map((id) => groupName(Number(id))).join(', ') : textOf(to)}`;
    case 'tags_changed':
      return `changed the tags from ${textOf(from)} to ${textOf(to)}`;
    case 'subject_changed':
      return `changed the subject from “${textOf(from)}” to “${textOf(to)}”`;
    case 'rating':
      return rate === undefined ? 'took the rating back' : `rated it ${rate}`;
    case 'merged':
      return `${MERGES[direction][undone ? 'undone' : 'done']}${ticket ? `: ${ticket.id}, “${ticket.subject}”` : ''}`;
    case 'message':
      return 'wrote';
  }
};

const AUTOMATIC = {
  auto_reply: 'Automatic reply',
  bounce: 'Could not be delivered',
  loop: 'Came back in a loop',
  too_many: 'Too many mails',
};

/** What is to be known of a message besides its words. */
export const marksOf = ({ is_private, automatic, malformed, mailed, source }: TicketEvent): string[] => [
  ...(is_private ? ['Private note'] : []),
  ...(source === 'mail' ? ['By mail'] : []),
  ...(mailed === undefined ? [] : [mailed ? 'Mailed' : 'Not mailed']),
  ...(automatic ? [AUTOMATIC[automatic]] : []),
  ...(malformed ? ['Could not be read well'] : []),
];
