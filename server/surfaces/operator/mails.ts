import type { Static } from 'typebox';
import type { BodyOf } from '#contracts/operation.ts';
import * as contract from '#contracts/operator/mails.ts';
import {
  type FailedMail,
  listFailedMails,
  type MailReplay,
  replayFailedMails,
} from '#server/domain/accounts/mails/failed-mails.ts';
import { invalid } from '#server/domain/errors.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';
import { readInstant } from './read-instant.ts';

const DEFAULT_LIMIT = 25;

const present = (mail: FailedMail): Static<typeof contract.FailedMail> => ({
  id: mail.id,
  owner_id: mail.ownerId,
  kind: mail.kind,
  to: mail.to,
  subject: mail.subject,
  attempts: mail.attempts,
  last_error: mail.lastError,
  created_at: toTimestamp(mail.createdAt),
  failed_at: toTimestamp(mail.failedAt),
});

const readReplay = (body: BodyOf<typeof contract.replayFailedMails>): MailReplay => {
  const from = readInstant('from', body.from);
  const to = readInstant('to', body.to);
  if (body.mail_id !== undefined) {
    if (from || to) throw invalid('mail_id', 'cannot be combined with a time range');
    return { mailId: body.mail_id };
  }
  if (!from || !to) throw invalid('mail_id', 'or `from` and `to` are required');
  return { from, to };
};

const operatorRoute = route<PlatformScope>();

export const mailRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.listFailedMails, async ({ query, scope }) => {
    const { mails, next } = await listFailedMails(scope, { limit: DEFAULT_LIMIT, ...query });
    return { mails: mails.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.replayFailedMails, async ({ body, scope }) => {
    const { count } = await replayFailedMails(scope, readReplay(body));
    return { replayed: count };
  }),
];
