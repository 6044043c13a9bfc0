import type { Resolution } from '#server/storage/tables/reports.ts';

const HOUR_MS = 3600 * 1000;

interface RollupResolution {
  resolution: Resolution;
  milliseconds: number;
  /** As PostgreSQL writes it. */
  interval: string;
}

/**
 * The widths of rollups, finest first. In every time zone, local hours start on a UTC quarter hour. In zones whose days do not
 * start at midnight UTC, a width of four hours minimizes the number of rollups to read.
 */
export const RESOLUTIONS: RollupResolution[] = [
  { resolution: 'q', milliseconds: HOUR_MS / 4, interval: '15 minutes' },
  { resolution: 'h', milliseconds: HOUR_MS, interval: '1 hour' },
  { resolution: 'f', milliseconds: 4 * HOUR_MS, interval: '4 hours' },
  { resolution: 'd', milliseconds: 24 * HOUR_MS, interval: '1 day' },
];
