import type { Series } from './report-data.ts';

const BY_MEANING = { good: 'var(--success)', bad: 'var(--danger)' };
const COLORS = ['var(--accent)', 'var(--info)', 'var(--warning)', 'var(--danger)'];

export const colorOf = ({ color }: Pick<Series, 'color'>, seriesIndex: number): string =>
  color ? BY_MEANING[color] : COLORS[seriesIndex % COLORS.length]!;
