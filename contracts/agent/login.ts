import { type Static, Type } from 'typebox';
import { ChatSummary } from '../chat/chats.ts';
import { Subscription } from '../chat/frames.ts';
import type { SocketOperation } from '../operation.ts';
import type { Scope } from '../scopes.ts';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { RoutingStatus } from './presence.ts';

/** The first request on an agent's socket. */
export const LoginPayload = Type.Object({
  token: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2048,
        description:
          '`Bearer <API key>` or `Basic <login and API key>`. If absent, the session cookie of `sign_in` is used, provided that the socket was opened by a page of this server',
      }),
    ),
  ),
  timezone: Type.Optional(
    Nullable(Type.String({ maxLength: 100, description: 'An IANA time zone name; other values are ignored' })),
  ),
  reconnect: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default false; true keeps the previous routing status' })),
  ),
  away: Type.Optional(
    Nullable(Type.Boolean({ description: 'Default false; true keeps the routing status and assigns no chats' })),
  ),
  application: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
  customer_monitoring_level: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 100,
        description:
          'Which customers on the site the agent receives events about: `my` (default: those in the agent’s chats and those the agent follows), `chatting`, `invited` or `online`. Each level includes the previous one',
      }),
    ),
  ),
  pushes: Type.Optional(Nullable(Subscription)),
});
/** A socket receives events about chats and customers. */
export const loginScopes = ['archives_read', 'visitors_read'] as const satisfies readonly Scope[];

export type LoginPayload = Static<typeof LoginPayload>;

const License = Type.Object({
  id: Int32(),
  organization_id: Type.String(),
  plan: Type.String(),
  expiration_timestamp: Type.Optional(
    Type.Integer({ description: 'Unix seconds; absent if the license does not expire' }),
  ),
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

export const LoginResponse = Type.Object({
  license: License,
  my_profile: Profile,
  chats_summary: Type.Array(ChatSummary),
});
export type LoginResponse = Static<typeof LoginResponse>;

/** Served without an active license, because these operations use no paid feature. */
const servedWithoutLicense = { reads: true } as const;

export const logout = {
  name: 'logout',
  scopes: ['archives_read'],
  rateLimit: 'agent',
  ...servedWithoutLicense,
  summary: 'Closes this connection; closing the last one sets the agent offline',
  body: Type.Object({}),
  responses: { 200: Empty },
} as const satisfies SocketOperation;

export const setAwayStatus = {
  name: 'set_away_status',
  scopes: ['agents_read'],
  rateLimit: 'agent',
  ...servedWithoutLicense,
  summary:
    'Sets whether the agent is away on this connection; an agent who is away on all connections gets no new chats',
  body: Type.Object({ away: Type.Boolean() }),
  responses: { 200: Empty },
} as const satisfies SocketOperation;

export const changePushNotifications = {
  name: 'change_push_notifications',
  scopes: ['archives_read'],
  rateLimit: 'agent',
  ...servedWithoutLicense,
  summary: 'Accepted for compatibility; push notifications to phones are not supported',
  body: Type.Object({
    firebase_token: Type.Optional(Nullable(Type.String({ maxLength: 4096 }))),
    platform: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    enabled: Type.Optional(Nullable(Type.Boolean())),
  }),
  responses: { 200: Empty },
} as const satisfies SocketOperation;
