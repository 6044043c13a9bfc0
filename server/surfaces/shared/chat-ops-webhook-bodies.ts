import type { DomainEvent } from '#server/domain/events.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '#server/domain/scope.ts';
import { plainTextOf } from '#server/domain/support/chats/append/plain-text.ts';
import { closedBy, isClosing } from '#server/domain/support/chats/lifecycle/closing-messages.ts';
import type { EventRecord } from '#server/domain/support/chats/records.ts';
import { DEFAULT_CUSTOMER_NAME } from '#server/domain/support/customers/default-name.ts';
import type { TicketRecord } from '#server/domain/support/tickets/records.ts';
import {
  loadWebhookChat,
  loadWebhookVisitor,
  readGroupNames,
  readLicense,
  type WebhookChat,
  type WebhookVisitor,
} from '#server/domain/support/webhooks/chat-ops-data.ts';
import type { LeasedDelivery } from '#server/domain/support/webhooks/send-queue.ts';
import { presentPrechatSurvey } from './older-surveys.ts';

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

const authorOf = ({ agents }: WebhookChat, visitorName: string, { author }: EventRecord) => {
  if (author.kind !== 'agent') return { user_type: 'visitor', author_name: visitorName };
  const name = agents.find(({ login }) => login === author.id)?.name ?? author.id;
  return { user_type: 'agent', author_name: name, agent_id: author.id };
};

const presentNotice = ({ content, createdAt }: EventRecord) => {
  if (content.type !== 'system_message') return [];
  const { systemMessageType, text } = content;
  const closer = closedBy(systemMessageType);
  const by = closer ? { user_type: closer === 'customer' ? 'visitor' : 'agent' } : {};
  return [
    { ...by, text, timestamp: seconds(createdAt), type: isClosing(systemMessageType) ? 'closed' : systemMessageType },
  ];
};

const presentChat = (chat: WebhookChat, { name = DEFAULT_CUSTOMER_NAME }: WebhookVisitor) => ({
  id: chat.id,
  started_timestamp: seconds(chat.startedAt),
  ...(chat.endedAt ? { ended_timestamp: seconds(chat.endedAt) } : {}),
  url: chat.startUrl ?? '',
  messages: chat.events.flatMap((event) => {
    const text = plainTextOf(event.content);
    return text === undefined ? [] : [{ ...authorOf(chat, name, event), text, timestamp: seconds(event.createdAt) }];
  }),
  attachments: chat.events.flatMap((event) => {
    if (event.content.type !== 'file') return [];
    const { name: file, url, contentType: content_type, size } = event.content;
    return [
      { ...authorOf(chat, name, event), name: file, url, content_type, size, timestamp: seconds(event.createdAt) },
    ];
  }),
  events: chat.events.flatMap(presentNotice),
  agents: chat.agents.map(({ login, name: agent }) => ({ name: agent, login })),
  tags: chat.tags,
  groups: chat.groupIds,
});

const presentVisitor = (visitor: WebhookVisitor) => {
  const variables = visitor.customVariables.flatMap((field) =>
    Object.entries(field).map(([key, value]) => ({ key, value })),
  );
  return {
    id: visitor.id,
    name: visitor.name ?? DEFAULT_CUSTOMER_NAME,
    email: visitor.email ?? '',
    country: visitor.place.country ?? '',
    city: visitor.place.city ?? '',
    language: visitor.language ?? '',
    page_current: visitor.page ?? '',
    timezone: visitor.timezone ?? '',
    ...(variables.length > 0 ? { custom_variables: variables } : {}),
  };
};

const presentTicket = async (scope: OrganizationScope, ticket: TicketRecord) => {
  const { id, subject, status, requester, assignee, groupIds, tags, source, events } = ticket;
  return {
    ...{ id, subject, status, requester, ...(assignee ? { assignee } : {}) },
    groups: await readGroupNames(scope, groupIds),
    ...{ tags, source },
    events: events.map(({ author, createdAt, isPrivate, content }) => ({
      author,
      date: new Date(createdAt).toISOString(),
      is_private: isPrivate,
      ...(content.type === 'message' ? { message: content.message, source: { type: content.source } } : {}),
      type: content.type,
    })),
  };
};

/** Only the requested parts. */
const partsOf = async (scope: OrganizationScope, dataTypes: string[], event: DomainEvent, until: Date) => {
  if (event.type === 'ticket_created')
    return dataTypes.includes('ticket') ? { ticket: await presentTicket(scope, event.ticket) } : {};
  if (!('threadId' in event)) return {};
  const includesAny = (...types: string[]): boolean => types.some((type) => dataTypes.includes(type));
  const visitor = includesAny('visitor', 'chat') ? await loadWebhookVisitor(scope, event.customerId) : undefined;
  const chat = includesAny('chat', 'pre_chat_survey') ? await loadWebhookChat(scope, event.threadId, until) : undefined;
  return {
    ...(chat && visitor && includesAny('chat') ? { chat: presentChat(chat, visitor) } : {}),
    ...(visitor && includesAny('visitor') ? { visitor: presentVisitor(visitor) } : {}),
    ...(chat && includesAny('pre_chat_survey') ? { pre_chat_survey: presentPrechatSurvey(chat.events) } : {}),
  };
};

type Message = Pick<LeasedDelivery, 'id' | 'organizationId' | 'action' | 'event' | 'createdAt'> & {
  dataTypes: string[];
};

/** The body of a webhook of the chat-ops API: the chat as it was at the time of the event, however late the delivery. */
export const buildChatOpsBody = async (services: Services, message: Message, token: string): Promise<string> => {
  const scope = openOrganizationScope(services, { kind: 'system' }, message.organizationId);
  return JSON.stringify({
    event_type: message.action,
    event_unique_id: message.id.replaceAll('-', ''),
    token,
    license_id: String(await readLicense(scope)),
    lc_version: '2',
    ...(await partsOf(scope, message.dataTypes, message.event, message.createdAt)),
  });
};
