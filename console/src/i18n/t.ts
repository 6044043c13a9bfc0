import { loadMessages } from './messages.ts';

/** Texts that several areas share. Pages have their own `t.ts`, which knows these too. */
export const t = await loadMessages('common');
