import { listFailedMailRows, requeueFailedMails } from '#server/storage/platform-mails.ts';
import { requireOperator } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { BaseScope } from '../../scope.ts';

/** A mail that could not be sent. Its text is not shown, because it may contain a link that opens an account. */
export interface FailedMail {
  id: string;
  /** The organization or partner that caused it. */
  ownerId: string;
  kind: string;
  to: string;
  subject: string;
  attempts: number;
  lastError: string;
  createdAt: Date;
  failedAt: Date;
}

export interface FailedMailPage {
  mails: FailedMail[];
  /** Marks the last mail of this page, if there are more. */
  next?: string;
}

/** What the verbs need; commands have no complete scope. */
export type MailScope = Pick<BaseScope, 'actor' | 'executor' | 'now'> & {
  services: Pick<BaseScope['services'], 'secrets'>;
};

const CURSOR = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const readCursor = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const [, at, id] = CURSOR.exec(text) ?? [];
  if (!at || !id) throw invalid('after', 'must be the `next` of the previous page');
  return { failedAt: new Date(Number(at)), id };
};

/** Newest first. */
export const listFailedMails = async (
  { actor, executor, services }: MailScope,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<FailedMailPage> => {
  requireOperator(actor);
  const rows = await listFailedMailRows(executor, { before: readCursor(after), limit: limit + 1 });
  const mails = rows.slice(0, limit).map(({ contentSealed, lastError, ...row }): FailedMail => {
    const { to, subject } = JSON.parse(services.secrets.unseal(contentSealed));
    return { ...row, to: to.address, subject, lastError: lastError ?? '' };
  });
  const last = mails.at(-1);
  return { mails, ...(rows.length > limit && last ? { next: `${last.failedAt.getTime()}.${last.id}` } : {}) };
};

export type MailReplay = { mailId: string } | { from: Date; to: Date };

/** Sends failed mails again, with the same message ids. Returns how many. */
export const replayFailedMails = async (
  { actor, executor, now }: MailScope,
  input: MailReplay,
): Promise<{ count: number }> => {
  requireOperator(actor);
  if (!('mailId' in input)) return { count: await requeueFailedMails(executor, { ...input, now: now() }) };
  const { mailId: id } = input;
  const count = isUuid(id) ? await requeueFailedMails(executor, { id, now: now() }) : 0;
  if (count === 0) throw notFound('Failed mail');
  return { count };
};
