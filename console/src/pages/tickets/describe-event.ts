import type { TicketEvent } from '#contracts/agent/tickets.ts';
import { formatList } from '../../i18n/language.ts';
import { STATUS_NAMES, type Status } from './filters.ts';
import { t } from './t.ts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? t('event.none') : formatList(value.map(textOf));
  if (isRecord(value)) return textOf(value.name ?? value.id ?? '');
  if (value === null || value === undefined || value === '') return t('event.none');
  return String(value);
};

const statusText = (value: unknown): string => STATUS_NAMES[value as Status]?.toLowerCase() ?? textOf(value);

const describeMerge = (author: string, { direction = 'into', undone, ticket }: TicketEvent): string => {
  const values = { author, ticket: ticket ? `${ticket.id}, “${ticket.subject}”` : '' };
  if (direction === 'from') return undone ? t('event.unmergedFrom', values) : t('event.mergedFrom', values);
  return undone ? t('event.unmergedInto', values) : t('event.mergedInto', values);
};

/** One sentence about what happened. */
export const describeEvent = (event: TicketEvent, author: string, groupName: (id: number) => string): string => {
  const { type, from, to, rate } = event;
  switch (type) {
    case 'assignee_changed':
      return to === null || to === undefined
        ? t('event.unassigned', { author })
        : t('event.assigned', { author, to: textOf(to) });
    case 'status_changed':
      return t('event.status', {
        author,
        from: statusText(from),
        to: statusText(to),
      });
    case 'group_changed': {
      const groups = Array.isArray(to) ? formatList(to.map((id) => groupName(Number(id)))) : textOf(to);
      return t('event.group', { author, groups });
    }
    case 'tags_changed':
      return t('event.tags', {
        author,
        from: textOf(from),
        to: textOf(to),
      });
    case 'subject_changed':
      return t('event.subject', {
        author,
        from: textOf(from),
        to: textOf(to),
      });
    case 'rating':
      if (rate === undefined) return t('event.ratingRemoved', { author });
      return rate === 'good' ? t('event.ratedGood', { author }) : t('event.ratedBad', { author });
    case 'merged':
      return describeMerge(author, event);
    case 'message':
      return t('event.message', { author });
  }
};

const AUTOMATIC = {
  auto_reply: t('automaticReply'),
  bounce: t('deliveryFailed'),
  loop: t('mailLoop'),
  too_many: t('tooManyEmails'),
};

/** Badges of a message. */
export const badgesOf = ({ is_private, automatic, malformed, mailed, source }: TicketEvent): string[] => [
  ...(is_private ? [t('privateNote')] : []),
  ...(source === 'mail' ? [t('byEmail')] : []),
  ...(mailed === undefined ? [] : [mailed ? t('emailed') : t('notEmailed')]),
  ...(automatic ? [AUTOMATIC[automatic]] : []),
  ...(malformed ? [t('malformedEmail')] : []),
];
