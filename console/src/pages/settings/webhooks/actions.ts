/** What a webhook can be told of, in the order people look for it. */
export const WEBHOOK_ACTIONS = [
  { value: 'incoming_chat', label: 'A chat begins' },
  { value: 'incoming_event', label: 'Something is written in a chat' },
  { value: 'chat_deactivated', label: 'A chat is closed' },
  { value: 'chat_transferred', label: 'A chat is transferred' },
  { value: 'user_added_to_chat', label: 'Somebody joins a chat' },
  { value: 'user_removed_from_chat', label: 'Somebody leaves a chat' },
  { value: 'thread_tagged', label: 'A chat is tagged' },
  { value: 'thread_untagged', label: 'A tag is taken off' },
  { value: 'incoming_customer', label: 'A customer comes to the site' },
  { value: 'customer_session_fields_updated', label: 'Session fields of a customer change' },
  { value: 'routing_status_set', label: 'An agent’s status changes' },
  { value: 'incoming_rich_message_postback', label: 'A button of a card is pressed' },
  { value: 'events_marked_as_seen', label: 'Messages are read' },
  { value: 'chat_access_updated', label: 'Another group gets a chat' },
  { value: 'chat_properties_updated', label: 'Properties of a chat change' },
  { value: 'chat_properties_deleted', label: 'Properties of a chat are deleted' },
  { value: 'thread_properties_updated', label: 'Properties of a thread change' },
  { value: 'thread_properties_deleted', label: 'Properties of a thread are deleted' },
  { value: 'event_properties_updated', label: 'Properties of an event change' },
  { value: 'event_properties_deleted', label: 'Properties of an event are deleted' },
];

export const nameAction = (action: string): string =>
  WEBHOOK_ACTIONS.find(({ value }) => value === action)?.label ?? action;
