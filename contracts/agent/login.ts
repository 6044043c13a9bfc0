import { type Static, Type } from 'typebox';
import { ChatSummary } from '../chat/chats.ts';
import { Subscription } from '../chat/frames.ts';
import type { SocketOperation } from '../operation.ts';
import type { Scope } from '../scopes.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { RoutingStatus } from './presence.ts';

/** The first request over an agent's socket. */
export const LoginPayload = Type.Object({
  token: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2048,
        description:
          '`Bearer <API key>` or `Basic <login and API key>`; absent: the cookie of `sign_in` that the socket was opened with by a page of our own',
      }),
    ),
  ),
  timezone: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: 'An IANA name; others are passed over' })),
  ),
  reconnect: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default false; true goes on with the status before' })),
  ),
  away: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default false; true changes no status and brings no chats' })),
  ),
  application: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
  customer_monitoring_level: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description:
          'Of which customers on the site the agent hears: `my` (default; those in its chats and those it follows), `chatting`, `invited`, `online`; each adds to the one before',
      }),
    ),
  ),
  pushes: Type.Optional(Nullable(Subscription)),
});
/** A socket receives events about chats and about customers. */
export const loginScopes = ['archives_read', 'visitors_read'] as const satisfies readonly Scope[];

export type LoginPayload = Static<typeof LoginPayload>;

const License = Type.Object({
  id: Int32(),
  organization_id: Type.String(),
  plan: Type.String(),
  expiration_timestamp: Type.Optional(Type.Integer({ description: 'Unix seconds; absent when nothing ends' })),
  creation_timestamp: Type.Integer({ description: 'Unix seconds' }),
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
  present: Type.Literal(true),
  routing_status: RoutingStatus,
});

export const LoginAnswer = Type.Object({
  license: License,
  my_profile: Profile,
  chats_summary: Type.Array(ChatSummary),
});
export type LoginAnswer = Static<typeof LoginAnswer>;

/** These change nothing that a license is needed for, so they are served when it has ended. */
const always = { reads: true } as const;

export const logout = {
  name: 'logout',
  scopes: ['archives_read'],
  rateLimit: 'agent',
  ...always,
  summary: 'Ends this connection; with the last one the agent is offline',
  body: Type.Object({}),
  responses: { 200: Empty },
} as const satisfies SocketOperation;

export const setAwayStatus = {
  name: 'set_away_status',
  scopes: ['agents_read'],
  rateLimit: 'agent',
  ...always,
  summary: 'Whether the agent went away from this connection; away at all of them means no new chats',
  body: Type.Object({ away: Type.Boolean() }),
  responses: { 200: Empty },
} as const satisfies SocketOperation;

export const changePushNotifications = {
  name: 'change_push_notifications',
  scopes: ['archives_read'],
  rateLimit: 'agent',
  ...always,
  summary: 'Accepted for the sake of clients: there is no service for phones behind it',
  body: Type.Object({
    firebase_token: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
    platform: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    enabled: Type.Optional(Nullable(Type.Boolean())),
  }),
  responses: { 200: Empty },
} as const satisfies SocketOperation;
