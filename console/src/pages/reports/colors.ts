import type { Series } from './report-data.ts';

const BY_MEANING = { good: 'var(--success)', bad: 'var(--danger)' };
const BY_PLACE = ['var(--accent)', 'var(--info)', 'var(--warning)', 'var(--danger)'];

export const colorOf = ({ color }: Pick<Series, 'color'>, place: number): string =>
  color ? BY_MEANING[color] : BY_PLACE[place % BY_PLACE.length]!;
