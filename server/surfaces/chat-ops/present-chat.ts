import type {
  Message,
  Visitor,
  ArchivedChat as WireChat,
  Event as WireEvent,
  ReachedGoal as WireGoal,
} from '#contracts/chat-ops/chats.ts';
import type { ArchivedChat, ReachedGoal } from '#server/domain/support/archives/records.ts';
import { plainTextOf } from '#server/domain/support/chats/append/plain-text.ts';
import { closedBy, isClosing } from '#server/domain/support/chats/lifecycle/closing-messages.ts';
import type { EventRecord } from '#server/domain/support/chats/records.ts';
import { DEFAULT_CUSTOMER_NAME } from '#server/domain/support/customers/default-name.ts';
import { type WallClock, wallClock } from '#server/domain/time-zones.ts';
import { toDateText, toUnixSeconds } from './present.ts';
import { presentSurvey } from './present-surveys.ts';

const visitorName = ({ visitor }: ArchivedChat): string => visitor.name ?? DEFAULT_CUSTOMER_NAME;

const presentVisitor = (chat: ArchivedChat): Visitor => {
  const { id, ip, userAgent, timezone, place } = chat.visitor;
  return {
    id,
    name: visitorName(chat),
    ip: ip ?? '',
    city: place?.city ?? '',
    region: place?.region ?? '',
    country: place?.country ?? '',
    country_code: place?.countryCode ?? '',
    timezone: timezone ?? '',
    user_agent: userAgent ?? '',
  };
};

const presentAuthor = (
  chat: ArchivedChat,
  { author }: EventRecord,
): Pick<Message, 'author_name' | 'user_type' | 'agent_id'> | undefined => {
  if (author.kind === 'system') return undefined;
  if (author.kind === 'customer') return { author_name: visitorName(chat), user_type: 'visitor' };
  const isAuthor = ({ login }: { login: string }): boolean => login === author.id;
  const supervisor = chat.supervisors.find(isAuthor);
  const name = (chat.agents.find(isAuthor) ?? supervisor)?.name ?? author.id;
  return { author_name: name, user_type: supervisor ? 'supervisor' : 'agent', agent_id: author.id };
};

const presentTime = (clock: WallClock, { createdAt }: EventRecord) => ({
  date: toDateText(clock, createdAt),
  timestamp: toUnixSeconds(createdAt),
});

const isNote = ({ visibility, content }: EventRecord): boolean =>
  visibility === 'agents' && content.type !== 'system_message';

const presentMessage = (chat: ArchivedChat, clock: WallClock, event: EventRecord): Message[] => {
  const author = presentAuthor(chat, event);
  const text = plainTextOf(event.content);
  if (text === undefined || !author || isNote(event)) return [];
  return [{ ...author, text, ...presentTime(clock, event) }];
};

/** Private notes are not part of the messages, so that clients do not show them to visitors by mistake. */
const presentNote = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => {
  const author = presentAuthor(chat, event);
  if (!isNote(event) || !author) return [];
  const { content } = event;
  const text = content.type === 'file' ? content.url : (plainTextOf(content) ?? '');
  return [{ ...author, text, ...presentTime(clock, event), type: 'event', event_type: 'private_note' }];
};

const presentAttachment = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => {
  const author = presentAuthor(chat, event);
  if (event.content.type !== 'file' || !author || isNote(event)) return [];
  const { name, url, contentType: content_type, size, alternativeText = '' } = event.content;
  const files = [{ name, url, content_type, size }];
  return [{ ...author, text: alternativeText, ...presentTime(clock, event), type: 'attachment', files }];
};

const presentCloser = (chat: ArchivedChat, systemMessageType: string): Partial<Message> => {
  const closer = closedBy(systemMessageType);
  if (closer === 'customer') return { author_name: visitorName(chat), user_type: 'visitor' };
  return closer ? { user_type: 'agent' } : {};
};

const presentNotice = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => {
  if (event.content.type !== 'system_message') return [];
  const { systemMessageType, text } = event.content;
  const event_type = isClosing(systemMessageType) ? 'closed' : systemMessageType;
  const author = presentCloser(chat, systemMessageType);
  return [{ ...author, text, ...presentTime(clock, event), type: 'event', event_type }];
};

const presentEvent = (chat: ArchivedChat, clock: WallClock, event: EventRecord): WireEvent[] => [
  ...presentMessage(chat, clock, event).map((message) => ({ ...message, type: 'message' as const })),
  ...presentAttachment(chat, clock, event),
  ...presentNote(chat, clock, event),
  ...presentNotice(chat, clock, event),
];

const presentGoal =
  (clock: WallClock) =>
  ({ id, name, type, reachedAt, sale }: ReachedGoal): WireGoal => ({
    ...{ id, name, type },
    date: toDateText(clock, reachedAt),
    timestamp: toUnixSeconds(reachedAt),
    ...(sale
      ? {
          order: {
            ...(sale.orderId === undefined ? {} : { id: sale.orderId }),
            ...(sale.description === undefined ? {} : { description: sale.description }),
            ...(sale.price === undefined ? {} : { price: sale.price }),
            ...(sale.currency === undefined ? {} : { currency: sale.currency }),
          },
        }
      : {}),
  });

const presentAgents = (agents: ArchivedChat['agents']): WireChat['agents'] =>
  agents.map(({ login, name }) => ({ display_name: name, email: login }));

/** Fields that the documentation calls conditional. All others are always present, for clients in typed languages. */
const presentExtras = (chat: ArchivedChat, clock: WallClock): Partial<WireChat> => ({
  ...(chat.referrer ? { referrer: chat.referrer } : {}),
  ...(chat.customVariables.length > 0 ? { custom_variables: chat.customVariables } : {}),
  ...(chat.goals.length > 0 ? { goals: chat.goals.map(presentGoal(clock)) } : {}),
  ...(chat.queueSeconds === undefined ? {} : { queue: { duration: chat.queueSeconds } }),
});

/** A presenter for one time zone, shared by a whole page. */
export const chatPresenter = (timeZone: string): ((chat: ArchivedChat) => WireChat) => {
  const clock = wallClock(timeZone);
  return (chat) => ({
    type: chat.missed ? 'missed_chat' : 'chat',
    id: chat.id,
    visitor: presentVisitor(chat),
    agents: presentAgents(chat.agents),
    supervisors: presentAgents(chat.supervisors),
    rate: chat.rating ? `rated_${chat.rating}` : 'not_rated',
    duration: chat.durationSeconds,
    chat_start_url: chat.startUrl ?? '',
    ...presentExtras(chat, clock),
    group: chat.groupIds,
    started: toDateText(clock, chat.startedAt),
    started_timestamp: toUnixSeconds(chat.startedAt),
    ended: chat.endedAt ? toDateText(clock, chat.endedAt) : '',
    ended_timestamp: chat.endedAt ? toUnixSeconds(chat.endedAt) : null,
    prechat_survey: presentSurvey(chat.events, 'prechat'),
    postchat_survey: presentSurvey(chat.events, 'postchat'),
    tags: chat.tags,
    timezone: timeZone,
    messages: chat.events.flatMap((event) => presentMessage(chat, clock, event)),
    events: chat.events.flatMap((event) => presentEvent(chat, clock, event)),
    engagement: chat.engagement,
    pending: chat.endedAt === undefined,
  });
};
