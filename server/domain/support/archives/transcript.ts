import { wallClock } from '../../time-zones.ts';
import { plainTextOf } from '../chats/append/plain-text.ts';
import type { EventRecord } from '../chats/records.ts';
import { DEFAULT_CUSTOMER_NAME } from '../customers/default-name.ts';
import type { ArchivedChat, Transcript, TranscriptLine } from './records.ts';

const MAX_CHARACTERS = 500_000;

const textOf = ({ content }: EventRecord): string | undefined =>
  content.type === 'file' ? `${content.name}: ${content.url}` : plainTextOf(content);

/** Contains public messages and files. Notes are never included, even if an agent requests the transcript. */
export const writeTranscript = (chat: ArchivedChat, to: string, timeZone: string): Transcript => {
  const clock = wallClock(timeZone);
  const visitor = chat.visitor.name ?? DEFAULT_CUSTOMER_NAME;
  const names = new Map(chat.agents.map(({ login, name }) => [login, name]));
  const lines: TranscriptLine[] = [];
  let remaining = MAX_CHARACTERS;
  for (const event of chat.events) {
    const text = event.visibility === 'all' && event.author.kind !== 'system' ? textOf(event) : undefined;
    if (text === undefined) continue;
    remaining -= text.length;
    if (remaining < 0) break;
    const { date, time } = clock(event.createdAt);
    const author = event.author.kind === 'agent' ? (names.get(event.author.id) ?? 'Agent') : visitor;
    lines.push({ at: `${date} ${time}`, author, text });
  }
  return {
    ...{ to, date: clock(chat.startedAt).date, timeZone, visitor, lines, shortened: remaining < 0 },
    agents: chat.agents.map(({ name }) => name),
  };
};
