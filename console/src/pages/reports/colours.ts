import type { Series } from './shape.ts';

const BY_PLACE = ['var(--accent)', 'var(--info)', 'var(--warn)', 'var(--bad)'];

export const colourOf = ({ color }: Pick<Series, 'color'>, place: number): string =>
  color ? `var(--${color})` : BY_PLACE[place % BY_PLACE.length]!;
