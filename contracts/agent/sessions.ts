import { Type } from 'typebox';
import { Empty, Int32, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';
import { RoutingStatus } from './presence.ts';

/** These change nothing that a license is needed for, so they are served when it has ended. */
const always = { reads: true } as const;

/** Who is here, and where: what a console needs before it can show anything. */
export const whoIsHereFields = {
  login: Type.String({ description: 'The agent’s e-mail address' }),
  name: Type.String(),
  job_title: Type.String(),
  avatar: Type.String(),
  permission: oneOf('owner', 'administrator', 'normal'),
  routing_status: RoutingStatus,
  groups: Type.Array(Type.Object({ id: Int32(), name: Type.String() }), {
    description: 'Without the built-in group, which everybody is in',
  }),
  organization_id: Type.String(),
  organization: Type.Object({
    id: Type.String(),
    name: Type.String(),
    license_id: Int32(),
    plan: Type.String(),
    status: oneOf('trial', 'active', 'expired', 'blocked'),
    timezone: Type.String({ description: 'An IANA name' }),
    trial_ends_at: Type.Optional(Timestamp),
  }),
  two_factor: Type.Object({
    enabled: Type.Boolean(),
    recovery_codes_left: Type.Optional(Int32()),
  }),
};

const Session = Type.Object({
  id: Type.String(),
  created_at: Timestamp,
  expires_at: Timestamp,
});

export const getSession = agentAction({
  name: 'get_session',
  scopes: ['archives_read'],
  ...always,
  summary: 'Who is signed in, and where',
  description: 'By the cookie that `sign_in` gives, or by an API key, of which there is no `session`.',
  body: Type.Object({}),
  responses: { 200: Type.Object({ ...whoIsHereFields, session: Type.Optional(Session) }) },
});

export const listSessions = agentAction({
  name: 'list_sessions',
  scopes: ['archives_read'],
  ...always,
  summary: 'The browsers that the agent is signed in with',
  description: 'Its own, the newest first.',
  body: Type.Object({}),
  responses: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        current: Type.Boolean({ description: 'Whether it is the one that asks' }),
        browser: Type.String({ description: 'Empty when nobody knows', examples: ['Chrome 142'] }),
        user_agent: Type.String(),
        ip: Type.String({ description: 'The address that it signed in from' }),
        created_at: Timestamp,
        last_used_at: Type.String({ ...Timestamp, description: 'To the minute' }),
        expires_at: Timestamp,
      }),
    ),
  },
});

export const revokeSession = agentAction({
  name: 'revoke_session',
  scopes: ['archives_read'],
  ...always,
  summary: 'Signs a browser of the agent’s own out; its sockets end too',
  body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
  responses: { 200: Empty },
});

export const revokeOtherSessions = agentAction({
  name: 'revoke_other_sessions',
  scopes: ['archives_read'],
  ...always,
  summary: 'Signs all browsers of the agent’s own out, but for the one that asks',
  body: Type.Object({}),
  responses: { 200: Type.Object({ revoked: Int32() }) },
});

export const sessionOperations = [getSession, listSessions, revokeSession, revokeOtherSessions];
