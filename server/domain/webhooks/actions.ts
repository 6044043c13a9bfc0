import type { DomainEvent } from '../events.ts';

/** The webhook that each happening has; `undefined` has none. */
export const webhookActions = {
  event_sent: 'incoming_event',
  chat_started: 'incoming_chat',
  chat_deactivated: 'chat_deactivated',
  customer_session_fields_updated: 'customer_session_fields_updated',
  chat_properties_updated: 'chat_properties_updated',
  chat_properties_deleted: 'chat_properties_deleted',
  thread_properties_updated: 'thread_properties_updated',
  thread_properties_deleted: 'thread_properties_deleted',
  event_properties_updated: 'event_properties_updated',
  event_properties_deleted: 'event_properties_deleted',
  postback_sent: 'incoming_rich_message_postback',
  events_marked_as_seen: 'events_marked_as_seen',
  user_added: 'user_added_to_chat',
  user_removed: 'user_removed_from_chat',
  thread_tagged: 'thread_tagged',
  thread_untagged: 'thread_untagged',
  chat_transferred: 'chat_transferred',
  chat_access_updated: 'chat_access_updated',
  chat_arrived: undefined,
  queue_moved: undefined,
  place_changed: undefined,
  chat_followed: undefined,
  chat_unfollowed: undefined,
  typing_indicated: undefined,
  multicast_sent: undefined,
  event_repeated: undefined,
  sneak_peek_sent: undefined,
  property_defined: undefined,
  customer_page_updated: undefined,
  customer_came: 'incoming_customer',
  customer_visit_started: undefined,
  customer_visit_ended: undefined,
  customer_followed: undefined,
  customer_unfollowed: undefined,
  greeting_displayed: undefined,
  greeting_accepted: undefined,
  greeting_canceled: undefined,
  customer_updated: undefined,
  customer_banned: undefined,
  email_verification_requested: undefined,
  email_verified: undefined,
  organization_created: undefined,
  credentials_changed: undefined,
  agent_status_set: 'routing_status_set',
  agent_signed_out: undefined,
  group_statuses_changed: undefined,
  partner_created: undefined,
} as const satisfies Record<DomainEvent['type'], string | undefined>;

export type WebhookAction = NonNullable<(typeof webhookActions)[keyof typeof webhookActions]>;

const known = new Set<string | undefined>(Object.values(webhookActions));

export const isWebhookAction = (text: string): text is WebhookAction => known.has(text);
