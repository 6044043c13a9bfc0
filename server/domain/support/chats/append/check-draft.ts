import { invalid } from '../../../errors.ts';
import type { Author, EventContent, EventDraft } from '../records.ts';

const MAX_TEXT_BYTES = 16 * 1024;

type RichMessage = Extract<EventContent, { type: 'rich_message' }>;

/** Who pressed a button is for the server to say. */
const withoutPresses = (content: RichMessage): RichMessage => ({
  ...content,
  elements: content.elements.map((element) => {
    const { buttons, ...rest } = element as { buttons?: object[] | null };
    return buttons ? { ...rest, buttons: buttons.map((button) => ({ ...button, user_ids: [] })) } : element;
  }),
});

/** What no schema can say about an event. What a customer writes is for all to see, whatever was asked for. */
export const checkDraft = (author: Author, draft: EventDraft): EventDraft => {
  const { content } = draft;
  if (content.type === 'message' && Buffer.byteLength(content.text) > MAX_TEXT_BYTES) {
    throw invalid('event.text', `must not be longer than ${MAX_TEXT_BYTES} bytes`);
  }
  const clean = content.type === 'rich_message' ? { ...draft, content: withoutPresses(content) } : draft;
  return author.kind === 'customer' ? { ...clean, visibility: 'all' } : clean;
};
