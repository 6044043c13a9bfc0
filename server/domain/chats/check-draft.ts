import { invalid } from '../errors.ts';
import type { Author, EventDraft } from './records.ts';

const MOST_TEXT_BYTES = 16 * 1024;

/** What no schema can say about an event. What a customer writes is for all to see, whatever was asked for. */
export const checkDraft = (author: Author, draft: EventDraft): EventDraft => {
  const { content } = draft;
  if (content.type === 'message' && Buffer.byteLength(content.text) > MOST_TEXT_BYTES) {
    throw invalid('event.text', `must not be longer than ${MOST_TEXT_BYTES} bytes`);
  }
  return author.kind === 'customer' ? { ...draft, visibility: 'all' } : draft;
};
