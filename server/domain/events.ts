import type { ChatWithThread, EventRecord } from './chats/records.ts';

interface InChat {
  organizationId: string;
  chatId: string;
  threadId: string;
  customerId: string;
  /** Who may see the chat, so that whoever delivers an event need not ask again. */
  groupIds: number[];
}

/** Everything that can happen. `reactions/index.ts` says what follows from each. */
export type DomainEvent =
  | (InChat & { type: 'event_sent'; event: EventRecord })
  | (InChat & { type: 'chat_started'; chat: ChatWithThread })
  | (InChat & { type: 'chat_deactivated'; userId?: string })
  | { type: 'organization_created'; organizationId: string; name: string; ownerLogin: string; ownerName: string }
  | { type: 'credentials_changed'; organizationId: string }
  | { type: 'agent_status_set'; organizationId: string; agentId: string; status: string }
  | { type: 'partner_created'; partnerId: number; login: string; firstName: string };

/** Every process listens here: whatever it remembers about credentials may be out of date. */
export const CREDENTIALS_TOPIC = 'credentials';

export const organizationTopic = (organizationId: string): string => `organization.${organizationId}`;

/** Where an event is announced; `undefined` concerns nobody who listens. */
export const topicOf = (event: DomainEvent): string | undefined => {
  if (event.type === 'credentials_changed') return CREDENTIALS_TOPIC;
  return 'organizationId' in event ? organizationTopic(event.organizationId) : undefined;
};

const DATE_KEYS = /(At|UpTo)$/;

/** A client's own text under such a key stays as it was, unless it is exactly what the Date would be written as again. */
const toDate = (text: string): Date | string => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? date : text;
};

/** Between processes an event travels as text. */
export const writeEvent = (event: DomainEvent): string => JSON.stringify(event);

/** Dates became text on the way; their keys tell which they are. */
export const readEvent = (text: string): DomainEvent =>
  JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && DATE_KEYS.test(key) ? toDate(value) : value,
  ) as DomainEvent;
