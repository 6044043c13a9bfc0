import type { Grain } from '#server/storage/tables/reports.ts';

const HOUR_MS = 3600 * 1000;

export interface Width {
  grain: Grain;
  milliseconds: number;
  /** As PostgreSQL says it. */
  interval: string;
}

/**
 * What is added up, from the finest on, each made of the one before. Every time zone's hours begin on a quarter; where days do not
 * begin with those of UTC, four hours leave the fewest sums to read.
 */
export const WIDTHS: Width[] = [
  { grain: 'q', milliseconds: HOUR_MS / 4, interval: '15 minutes' },
  { grain: 'h', milliseconds: HOUR_MS, interval: '1 hour' },
  { grain: 'f', milliseconds: 4 * HOUR_MS, interval: '4 hours' },
  { grain: 'd', milliseconds: 24 * HOUR_MS, interval: '1 day' },
];
