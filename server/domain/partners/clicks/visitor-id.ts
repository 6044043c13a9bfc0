import { randomUUID } from 'node:crypto';

/** A UUID of version 7, which starts with its creation time in milliseconds. */
export const VISITOR_ID = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

export const newVisitorId = (at: Date): string => {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

/** The age of a visitor id in milliseconds. */
export const ageOf = (visitorId: string, now: Date): number =>
  now.getTime() - Number.parseInt(visitorId.slice(0, 8) + visitorId.slice(9, 13), 16);
