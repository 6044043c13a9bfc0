import type { Series } from './report-data.ts';

const SEMANTIC_COLORS = { good: 'var(--success)', bad: 'var(--danger)' };
const COLORS = ['var(--accent)', 'var(--info)', 'var(--warning)', 'var(--danger)'];

export const colorOf = ({ color }: Pick<Series, 'color'>, seriesIndex: number): string =>
  color ? SEMANTIC_COLORS[color] : COLORS[seriesIndex % COLORS.length]!;
