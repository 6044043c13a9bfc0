const DAY_MS = 24 * 3600 * 1000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

let lastDay = Number.NaN;
/** `2026-11-15T` */
let lastDate = '';

/**
 * RFC 3339 in UTC with six decimals. Lists contain many timestamps of the same few days, so the date is cached; this
 * takes a fifth of the time of `toISOString`.
 */
export const toTimestamp = (date: Date): string => {
  const time = date.getTime();
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = date.toISOString().slice(0, -'12:30:00.123Z'.length);
    lastDay = day;
  }
  const ofDay = time - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const clock = `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}`;
  return `${lastDate}${clock}.${String(ofDay % 1000).padStart(3, '0')}000Z`;
};
