import { type Static, Type } from 'typebox';
import { ChatSummary } from '../chat/chats.ts';
import { Subscription } from '../chat/frames.ts';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';

/** The first request over an agent's socket. */
export const LoginPayload = Type.Object({
  token: Type.String({ maxLength: 2048, description: '`Bearer <API key>` or `Basic <login and API key>`' }),
  timezone: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  pushes: Type.Optional(Nullable(Subscription)),
});
export type LoginPayload = Static<typeof LoginPayload>;

const License = Type.Object({
  id: Int32(),
  organization_id: Type.String(),
  plan: Type.String(),
  expiration_timestamp: Type.Optional(Timestamp),
  creation_timestamp: Timestamp,
  in_trial: Type.Boolean(),
});

const Profile = Type.Object({
  id: Type.String({ description: 'The login' }),
  type: Type.Literal('agent'),
  name: Type.String(),
  email: Type.String(),
  avatar: Type.String(),
  job_title: Type.String(),
  permission: oneOf('owner', 'administrator', 'normal'),
  routing_status: oneOf('accepting_chats', 'not_accepting_chats', 'offline'),
});

export const LoginAnswer = Type.Object({
  license: License,
  my_profile: Profile,
  chats_summary: Type.Array(ChatSummary),
});
export type LoginAnswer = Static<typeof LoginAnswer>;
