import type { Message, ArchivedChat as WireChat, Event as WireEvent } from '#contracts/chat-ops/chats.ts';
import type { ArchivedChat } from '#server/domain/archives/records.ts';
import type { EventRecord } from '#server/domain/chats/records.ts';
import { type WallClock, wallClock } from '#server/domain/time-zones.ts';
import { toDateText, toUnixSeconds } from './present.ts';
import { presentSurvey } from './present-surveys.ts';

const UNNAMED = 'Client';
const CLOSED = /^(manual_archived_|archived_|routing\.archived_|system_archived$)/;

const visitorName = ({ customer }: ArchivedChat): string => customer.name ?? UNNAMED;

const presentAuthor = (
  chat: ArchivedChat,
  { author }: EventRecord,
): Pick<Message, 'author_name' | 'user_type' | 'agent_id'> | undefined => {
  if (author.kind === 'system') return undefined;
  if (author.kind === 'customer') return { author_name: visitorName(chat), user_type: 'visitor' };
  const name = chat.agents.find(({ login }) => login === author.id)?.name ?? author.id;
  return { author_name: name, user_type: 'agent', agent_id: author.id };
};

const presentTime = (clock: WallClock, { createdAt }: EventRecord) => ({
  date: toDateText(clock, createdAt),
  timestamp: toUnixSeconds(createdAt),
});

const presentMessage = (chat: ArchivedChat, clock: WallClock, event: EventRecord): Message[] => {
  const author = presentAuthor(chat, event);
  if (event.content.type !== 'message' || !author) return [];
  return [{ ...author, text: event.content.text, ...presentTime(clock, event) }];
};

const presentAttachment = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => {
  const author = presentAuthor(chat, event);
  if (event.content.type !== 'file' || !author) return [];
  const { name, url, contentType: content_type, size, alternativeText = '' } = event.content;
  const files = [{ name, url, content_type, size }];
  return [{ ...author, text: alternativeText, ...presentTime(clock, event), type: 'attachment', files }];
};

/** A system message has no author; who closed a chat stands in its type. */
const presentNotice = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => {
  if (event.content.type !== 'system_message') return [];
  const { systemMessageType, text } = event.content;
  const author: Partial<Message> = /^(manual_)?archived_customer/.test(systemMessageType)
    ? { author_name: visitorName(chat), user_type: 'visitor' }
    : systemMessageType === 'manual_archived_agent'
      ? { user_type: 'agent' }
      : {};
  const event_type = CLOSED.test(systemMessageType) ? 'closed' : systemMessageType;
  return [{ ...author, text, ...presentTime(clock, event), type: 'event', event_type }];
};

const presentEvent = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => [
  ...presentMessage(chat, clock, event).map((message) => ({ ...message, type: 'message' as const })),
  ...presentAttachment(chat, clock, event),
  ...presentNotice(chat, clock, event),
];

/** A presenter for one time zone; whole pages share its clock. */
export const chatPresenter = (timeZone: string): ((chat: ArchivedChat) => WireChat) => {
  const clock = wallClock(timeZone);
  return (chat) => ({
    type: 'chat',
    id: chat.id,
    visitor: { id: chat.customer.id, name: visitorName(chat) },
    agents: chat.agents.map(({ login, name }) => ({ display_name: name, email: login })),
    supervisors: [],
    rate: chat.rating ? `rated_${chat.rating}` : 'not_rated',
    duration: chat.durationSeconds,
    ...(chat.startUrl ? { chat_start_url: chat.startUrl } : {}),
    ...(chat.referrer ? { referrer: chat.referrer } : {}),
    group: chat.groupIds,
    started: toDateText(clock, chat.startedAt),
    started_timestamp: toUnixSeconds(chat.startedAt),
    ...(chat.endedAt ? { ended: toDateText(clock, chat.endedAt), ended_timestamp: toUnixSeconds(chat.endedAt) } : {}),
    prechat_survey: presentSurvey(chat.events, 'prechat'),
    postchat_survey: presentSurvey(chat.events, 'postchat'),
    tags: chat.tags,
    timezone: timeZone,
    messages: chat.events.flatMap((event) => presentMessage(chat, clock, event)),
    events: chat.events.flatMap((event) => presentEvent(chat, clock, event)),
    engagement: 'immediate_start',
    pending: chat.endedAt === undefined,
  });
};
