import { invalid } from '../errors.ts';
import type { EventDraft } from './records.ts';

const MOST_TEXT_BYTES = 16 * 1024;

/** What no schema can say about an event. */
export const checkDraft = ({ content }: EventDraft): void => {
  if (content.type === 'message' && Buffer.byteLength(content.text) > MOST_TEXT_BYTES) {
    throw invalid('event.text', `must not be longer than ${MOST_TEXT_BYTES} bytes`);
  }
};
