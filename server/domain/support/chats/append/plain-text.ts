import type { EventContent } from '../records.ts';

interface Element {
  title?: unknown;
  subtitle?: unknown;
  buttons?: { text?: unknown }[] | null;
  image?: { url?: unknown } | null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const linesOf = ({ title, subtitle, buttons, image }: Element): string[] => {
  const words = [title, subtitle, ...(buttons ?? []).map(({ text }) => text)].filter(isText);
  return words.length > 0 ? words : [image?.url].filter(isText);
};

/** The plain text of an event, for clients that show text only. */
export const plainTextOf = (content: EventContent): string | undefined => {
  if (content.type === 'message') return content.text;
  if (content.type !== 'rich_message') return undefined;
  return (content.elements as Element[]).flatMap(linesOf).join('\n') || undefined;
};
