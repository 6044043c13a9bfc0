import type { Properties, UserKind, Visibility } from '#server/storage/tables/chats.ts';
import type { QueuePosition } from '../routing/records.ts';

export type Author = { kind: 'customer' | 'agent'; id: string } | { kind: 'system' };

export interface FileContent {
  type: 'file';
  fileId: string;
  url: string;
  name: string;
  contentType: string;
  size: number;
  width?: number;
  height?: number;
  thumbnailUrl?: string;
  thumbnail2xUrl?: string;
  alternativeText?: string;
}

/**
 * The content of an event by type. Parts that only clients interpret (elements, fields, content) are stored as sent.
 */
export type EventContent =
  | { type: 'message'; text: string; postback?: Record<string, unknown> }
  | FileContent
  | { type: 'filled_form'; formId: string; formType?: string; fields: unknown[] }
  | { type: 'rich_message'; templateId: string; elements: unknown[] }
  | { type: 'custom'; content: Record<string, unknown> }
  | { type: 'system_message'; systemMessageType: string; text: string; textVars?: Record<string, string> };

export interface EventDraft {
  content: EventContent;
  customId?: string;
  visibility: Visibility;
  properties: Properties;
}

/** A file as its author specifies it; the server adds the rest. */
export type FileInput = Pick<FileContent, 'type' | 'url' | 'alternativeText'>;

export interface NewEvent extends Omit<EventDraft, 'content'> {
  content: Exclude<EventContent, FileContent> | FileInput;
}

export interface EventRecord extends EventDraft {
  id: string;
  chatId: string;
  threadId: string;
  number: number;
  author: Author;
  createdAt: Date;
}

export interface ThreadRecord {
  id: string;
  chatId: string;
  active: boolean;
  groupIds: number[];
  properties: Properties;
  tags: string[];
  previousThreadId?: string;
  nextThreadId?: string;
  createdAt: Date;
  closedAt?: Date;
}

export interface ThreadWithEvents extends ThreadRecord {
  userIds: { kind: UserKind; id: string }[];
  events: EventRecord[];
  /** Present while the thread is queued. */
  queue?: QueuePosition;
}

export interface CustomerUser {
  kind: 'customer';
  id: string;
  name?: string;
  email?: string;
  avatar?: string;
  sessionFields: Record<string, string>[];
  present: boolean;
  seenUpTo?: Date;
}

export interface AgentUser {
  kind: 'agent';
  id: string;
  name: string;
  avatar: string;
  jobTitle: string;
  /** `agents`: a supervisor whom the customer cannot see. */
  visibility: Visibility;
  present: boolean;
  seenUpTo?: Date;
}

export type ChatUser = CustomerUser | AgentUser;

export interface ChatRecord {
  id: string;
  customerId: string;
  groupIds: number[];
  properties: Properties;
  active: boolean;
  continuous: boolean;
  lastThreadId: string;
  lastThreadCreatedAt: Date;
  createdAt: Date;
}

/** A chat as shown in lists. */
export interface ChatSummary
  extends Pick<
    ChatRecord,
    'id' | 'customerId' | 'groupIds' | 'properties' | 'active' | 'lastThreadId' | 'lastThreadCreatedAt'
  > {
  users: ChatUser[];
  lastEventPerType: Record<string, { threadId: string; threadCreatedAt: Date; event: EventRecord }>;
}

export interface ChatWithThread extends ChatRecord {
  users: ChatUser[];
  thread?: ThreadWithEvents;
}

export interface Page<T> {
  items: T[];
  total: number;
  nextPageId?: string;
  previousPageId?: string;
}

export interface Postback {
  /** The id of the button in the rich message. */
  id: string;
  toggled: boolean;
}
