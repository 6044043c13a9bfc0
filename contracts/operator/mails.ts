import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, Timestamp } from '../values.ts';

export const FailedMail = Type.Object({
  id: Type.String(),
  owner_id: Type.String({ description: 'The organization or partner that caused the mail' }),
  kind: Type.String({ examples: ['password_reset', 'ticket_reply'] }),
  to: Type.String(),
  subject: Type.String(),
  attempts: Int32(),
  last_error: Type.String(),
  created_at: Timestamp,
  failed_at: Timestamp,
});

export const listFailedMails = defineOperation({
  name: 'list_failed_mails',
  method: 'GET',
  path: '/operator/v1/mails/failed',
  summary: 'Mails that could not be sent, newest first',
  description:
    'A mail is listed when the mail server rejected it, or after three days of attempts, and removed after 30 days.',
  query: Type.Object({
    limit: Type.Optional(Int32({ minimum: 1, maximum: 100, description: 'Default 25' })),
    after: Type.Optional(Type.String({ maxLength: 100, description: 'The `next` of the previous page' })),
  }),
  responses: {
    200: Type.Object({
      mails: Type.Array(FailedMail),
      next: Type.Optional(Type.String({ description: 'Absent on the last page' })),
    }),
  },
});

export const replayFailedMails = defineOperation({
  name: 'replay_failed_mails',
  method: 'POST',
  path: '/operator/v1/mails/failed/replay',
  audit: true,
  summary: 'Sends a failed mail, or all that failed in a time range, again',
  body: Type.Object({
    mail_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Start of the time range, inclusive' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'End of the time range, exclusive' })),
  }),
  responses: { 200: Type.Object({ replayed: Int32() }) },
});
