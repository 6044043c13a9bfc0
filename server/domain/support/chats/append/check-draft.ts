import { invalid } from '../../../errors.ts';
import type { Author, EventContent, EventDraft } from '../records.ts';

const MAX_TEXT_BYTES = 16 * 1024;

type RichMessage = Extract<EventContent, { type: 'rich_message' }>;

/** The users of a postback are recorded by the server only. */
const withoutPresses = (content: RichMessage): RichMessage => ({
  ...content,
  elements: content.elements.map((element) => {
    const { buttons, ...rest } = element as { buttons?: object[] | null };
    return buttons ? { ...rest, buttons: buttons.map((button) => ({ ...button, user_ids: [] })) } : element;
  }),
});

/** Checks that the schema cannot express. Events of customers are always visible to all. */
export const checkDraft = (author: Author, draft: EventDraft): EventDraft => {
  const { content } = draft;
  if (content.type === 'message' && Buffer.byteLength(content.text) > MAX_TEXT_BYTES) {
    throw invalid('event.text', `must not be longer than ${MAX_TEXT_BYTES} bytes`);
  }
  const clean = content.type === 'rich_message' ? { ...draft, content: withoutPresses(content) } : draft;
  return author.kind === 'customer' ? { ...clean, visibility: 'all' } : clean;
};
