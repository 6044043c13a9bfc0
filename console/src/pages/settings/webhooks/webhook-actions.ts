import { t } from '../t.ts';

/** Webhook events, the most common first. */
export const WEBHOOK_ACTIONS = [
  { value: 'incoming_chat', label: t('chatStarted') },
  { value: 'incoming_event', label: t('newMessageOrEvent') },
  { value: 'chat_deactivated', label: t('chatEnded') },
  { value: 'chat_transferred', label: t('chatTransferred') },
  { value: 'user_added_to_chat', label: t('userJoinedAChat') },
  { value: 'user_removed_from_chat', label: t('userLeftAChat') },
  { value: 'thread_tagged', label: t('tagAdded') },
  { value: 'thread_untagged', label: t('tagRemoved') },
  { value: 'incoming_customer', label: t('newCustomer') },
  { value: 'customer_session_fields_updated', label: t('customDataUpdated') },
  { value: 'routing_status_set', label: t('agentStatusChanged') },
  { value: 'incoming_rich_message_postback', label: t('cardButtonClicked') },
  { value: 'events_marked_as_seen', label: t('messagesRead') },
  { value: 'chat_access_updated', label: t('chatGroupChanged') },
  { value: 'chat_properties_updated', label: t('chatPropertiesUpdated') },
  { value: 'chat_properties_deleted', label: t('chatPropertiesDeleted') },
  { value: 'thread_properties_updated', label: t('threadPropertiesUpdated') },
  { value: 'thread_properties_deleted', label: t('threadPropertiesDeleted') },
  { value: 'event_properties_updated', label: t('eventPropertiesUpdated') },
  { value: 'event_properties_deleted', label: t('eventPropertiesDeleted') },
];

export const nameAction = (action: string): string =>
  WEBHOOK_ACTIONS.find(({ value }) => value === action)?.label ?? action;
