import type {
  Chat,
  ChatSummary as WireSummary,
  Thread as WireThread,
  User as WireUser,
} from '#contracts/chat/chats.ts';
import type { Event as WireEvent } from '#contracts/chat/events.ts';
import { isUuid } from '#server/domain/ids.ts';
import type {
  Author,
  ChatSummary,
  ChatUser,
  ChatWithThread,
  EventContent,
  EventRecord,
  FileContent,
  Page,
  ThreadWithEvents,
} from '#server/domain/support/chats/records.ts';
import type { Properties, PropertyLocation, PropertyNames } from '#server/domain/support/properties/definitions.ts';
import type { QueuePosition } from '#server/domain/support/routing/records.ts';
import { toTimestamp } from '../../http/timestamp.ts';

/** How agents are identified to the reader: customers see an opaque id, agents see the login. */
export type NameAgent = (login: string) => string;

/** Which properties the reader may see. */
export interface PropertyVisibility {
  properties(location: PropertyLocation, properties: Properties): Properties;
  names(location: PropertyLocation, names: PropertyNames): PropertyNames;
}

const everything: PropertyVisibility = { properties: (_, properties) => properties, names: (_, names) => names };

type NameUser = (id: string) => string;

/** A human agent's login is an email address; a bot has none. */
const emailOf = (login: string) => (login.includes('@') ? { email: login } : {});

/** Replaces the logins of agents who pressed a button. */
const presentElement = (element: unknown, nameUser: NameUser): unknown => {
  const { buttons, ...rest } = element as { buttons?: { user_ids?: string[] }[] | null };
  if (!buttons) return element;
  return {
    ...rest,
    buttons: buttons.map((button) => ({ ...button, user_ids: (button.user_ids ?? []).map(nameUser) })),
  };
};

const presentFile = (file: FileContent) => ({
  name: file.name,
  url: file.url,
  content_type: file.contentType,
  size: file.size,
  ...(file.width === undefined ? {} : { width: file.width }),
  ...(file.height === undefined ? {} : { height: file.height }),
  ...(file.thumbnailUrl === undefined ? {} : { thumbnail_url: file.thumbnailUrl }),
  ...(file.thumbnail2xUrl === undefined ? {} : { thumbnail2x_url: file.thumbnail2xUrl }),
  ...(file.alternativeText === undefined ? {} : { alternative_text: file.alternativeText }),
});

const presentContent = (content: EventContent, nameUser: NameUser) => {
  switch (content.type) {
    case 'message':
      return { text: content.text, ...(content.postback ? { postback: content.postback } : {}) };
    case 'file':
      return presentFile(content);
    case 'filled_form':
      return {
        form_id: content.formId,
        ...(content.formType ? { form_type: content.formType } : {}),
        fields: content.fields,
      };
    case 'rich_message':
      return {
        template_id: content.templateId,
        elements: content.elements.map((element) => presentElement(element, nameUser)),
      };
    case 'custom':
      return { content: content.content };
    case 'system_message':
      return {
        system_message_type: content.systemMessageType,
        text: content.text,
        ...(content.textVars ? { text_vars: content.textVars } : {}),
      };
  }
};

/** Pure functions from domain records to the JSON of the chat APIs v3.5. */
export const chatPresenter = (
  nameAgent: NameAgent,
  shows: (one: Pick<EventRecord, 'visibility'>) => boolean = () => true,
  visible: PropertyVisibility = everything,
) => {
  const userId = (kind: 'customer' | 'agent', id: string): string => (kind === 'agent' ? nameAgent(id) : id);
  const authorId = (author: Author): string | undefined =>
    author.kind === 'system' ? undefined : userId(author.kind, author.id);

  /** Only agents see what agents note about each other and about chats. */
  const isAgent = shows({ visibility: 'agents' });

  const nameUser: NameUser = (id) => userId(isUuid(id) ? 'customer' : 'agent', id);

  const event = (record: EventRecord): WireEvent => {
    // A system message has no author, even if an agent sent it.
    const author_id = record.content.type === 'system_message' ? undefined : authorId(record.author);
    const properties = visible.properties('event', record.properties);
    return {
      id: record.id,
      ...(record.customId === undefined ? {} : { custom_id: record.customId }),
      created_at: toTimestamp(record.createdAt),
      type: record.content.type,
      ...(author_id === undefined ? {} : { author_id }),
      visibility: record.visibility,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...presentContent(record.content, nameUser),
    };
  };

  const user = (record: ChatUser): WireUser => {
    const seen = record.seenUpTo ? { events_seen_up_to: toTimestamp(record.seenUpTo) } : {};
    if (record.kind === 'agent') {
      const { name, avatar, jobTitle, present, visibility } = record;
      const agentFields = isAgent ? { ...emailOf(record.id), visibility } : {};
      return {
        id: nameAgent(record.id),
        type: 'agent',
        name,
        avatar,
        job_title: jobTitle,
        ...agentFields,
        present,
        ...seen,
      };
    }
    const { id, name, email, avatar, sessionFields, present } = record;
    return {
      id,
      type: 'customer',
      ...(name ? { name } : {}),
      ...(email ? { email } : {}),
      ...(avatar ? { avatar } : {}),
      ...(sessionFields.length > 0 ? { session_fields: sessionFields } : {}),
      present,
      ...seen,
    };
  };

  const users = (records: ChatUser[]): WireUser[] =>
    records.filter((one) => one.kind === 'customer' || shows(one)).map(user);

  const queue = ({ position, waitTime, queuedAt }: QueuePosition) => ({
    position,
    wait_time: waitTime,
    queued_at: toTimestamp(queuedAt),
  });

  const thread = (record: ThreadWithEvents): WireThread => ({
    id: record.id,
    active: record.active,
    user_ids: record.userIds.map(({ kind, id }) => userId(kind, id)),
    events: record.events.filter(shows).map(event),
    properties: visible.properties('thread', record.properties),
    access: { group_ids: record.groupIds },
    ...(isAgent ? { tags: record.tags } : {}),
    ...(record.queue ? { queue: queue(record.queue) } : {}),
    ...(record.previousThreadId ? { previous_thread_id: record.previousThreadId } : {}),
    ...(record.nextThreadId ? { next_thread_id: record.nextThreadId } : {}),
    created_at: toTimestamp(record.createdAt),
  });

  const chat = (record: ChatWithThread): Chat => ({
    id: record.id,
    ...(record.thread ? { thread: thread(record.thread) } : {}),
    users: users(record.users),
    access: { group_ids: record.groupIds },
    properties: visible.properties('chat', record.properties),
  });

  const summary = (record: ChatSummary): WireSummary => ({
    id: record.id,
    last_thread_id: record.lastThreadId,
    last_thread_created_at: toTimestamp(record.lastThreadCreatedAt),
    users: users(record.users),
    access: { group_ids: record.groupIds },
    properties: visible.properties('chat', record.properties),
    active: record.active,
    last_event_per_type: Object.fromEntries(
      Object.entries(record.lastEventPerType).map(([type, last]) => [
        type,
        { thread_id: last.threadId, thread_created_at: toTimestamp(last.threadCreatedAt), event: event(last.event) },
      ]),
    ),
  });

  return { shows, userId, queue, event, user, thread, chat, summary, ...visible };
};

export type ChatPresenter = ReturnType<typeof chatPresenter>;

export const presentNeighbours = ({ nextPageId, previousPageId }: Omit<Page<unknown>, 'items' | 'total'>) => ({
  ...(nextPageId ? { next_page_id: nextPageId } : {}),
  ...(previousPageId ? { previous_page_id: previousPageId } : {}),
});
