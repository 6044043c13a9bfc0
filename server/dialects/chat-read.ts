import type { EventInput } from '#contracts/chat/events.ts';
import type { ThreadInput } from '#server/domain/chats/open-thread.ts';
import type { EventContent, EventDraft } from '#server/domain/chats/records.ts';

const readContent = (event: EventInput): EventContent => {
  switch (event.type) {
    case 'message':
      return { type: 'message', text: event.text, ...(event.postback ? { postback: event.postback } : {}) };
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
  }
};

/** `recipients` is what older descriptions call `visibility`. Empty and null mean absent: some clients send every field. */
export const readEventInput = (event: EventInput): EventDraft => ({
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

/** The part that starting and resuming a chat share. */
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
