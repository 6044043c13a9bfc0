import { randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The id of a chat or a thread: ten upper-case letters and digits. */
export const newShortId = (): string => Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const SHORT_ID = /^[A-Z0-9]{10}$/;

export const isShortId = (text: string): boolean => SHORT_ID.test(text);

export const eventId = (threadId: string, number: number): string => `${threadId}_${number}`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
