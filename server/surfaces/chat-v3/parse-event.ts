import type { AgentEventInput, EventInput } from '#contracts/chat/events.ts';
import { invalid } from '#server/domain/errors.ts';
import type { ThreadInput } from '#server/domain/support/chats/lifecycle/open-thread.ts';
import type { EventDraft, NewEvent } from '#server/domain/support/chats/records.ts';

const readContent = (event: AgentEventInput): NewEvent['content'] => {
  switch (event.type) {
    case 'message':
      return { type: 'message', text: event.text, ...(event.postback ? { postback: event.postback } : {}) };
    case 'file':
      return {
        type: 'file',
        url: event.url,
        ...(event.alternative_text ? { alternativeText: event.alternative_text } : {}),
      };
    case 'filled_form':
      return {
        type: 'filled_form',
        formId: event.form_id,
        ...(event.form_type ? { formType: event.form_type } : {}),
        fields: event.fields,
      };
    case 'rich_message':
      return { type: 'rich_message', templateId: event.template_id, elements: event.elements };
    case 'custom':
      return { type: 'custom', content: event.content };
    case 'system_message':
      return {
        type: 'system_message',
        systemMessageType: event.system_message_type,
        text: event.text,
        ...(event.text_vars ? { textVars: event.text_vars } : {}),
      };
  }
};

/**
 * `recipients` is an older name of `visibility`. Empty and null count as absent, because some clients send every field.
 */
export const readEventInput = (event: AgentEventInput): NewEvent => ({
  content: readContent(event),
  ...(event.custom_id ? { customId: event.custom_id } : {}),
  visibility: event.visibility ?? event.recipients ?? 'all',
  properties: event.properties ?? {},
});

type Properties = EventDraft['properties'];

interface WireChatInput {
  access?: { group_ids?: number[] | null } | null;
  properties?: Properties | null;
  thread?: { events?: EventInput[] | null; properties?: Properties | null } | null;
}

/** RFC 3339 with any offset and any number of decimals; precision beyond milliseconds is dropped. */
export const readTimestamp = (field: string, text: string): Date => {
  // A Date cannot represent a leap second, so it becomes the following second.
  const leap = /^(.{16}):60/;
  const date = new Date(text.toUpperCase().replace(leap, '$1:59'));
  if (Number.isNaN(date.getTime())) throw invalid(field, 'must be an RFC 3339 time such as 2026-03-31T10:00:00Z');
  return leap.test(text) ? new Date(date.getTime() + 1000) : date;
};

/** Fields shared by starting and resuming a chat. */
export const readThreadInput = (
  chat: WireChatInput | null | undefined,
  active: boolean | null | undefined,
): ThreadInput => ({
  groupIds: chat?.access?.group_ids ?? undefined,
  chatProperties: chat?.properties ?? undefined,
  threadProperties: chat?.thread?.properties ?? undefined,
  events: (chat?.thread?.events ?? []).map(readEventInput),
  active: active ?? true,
});
