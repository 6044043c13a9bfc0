import type { Series } from './shape.ts';

const BY_PLACE = ['var(--accent)', 'var(--info)', 'var(--warn)', 'var(--bad)'];
const BY_TITLE: Record<string, string> = { Good: 'var(--good)', Bad: 'var(--bad)' };

export const colourOf = ({ title }: Pick<Series, 'title'>, place: number): string =>
  BY_TITLE[title] ?? BY_PLACE[place % BY_PLACE.length]!;
