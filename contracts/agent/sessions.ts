import { Type } from 'typebox';
import { Empty, Int32, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';
import { RoutingStatus } from './presence.ts';

/** Served without an active license, because these operations use no paid feature. */
const servedWithoutLicense = { reads: true } as const;

/** The agent and the organization, which a console needs before it can show anything. */
export const signedInFields = {
  login: Type.String({ description: 'The agent’s email address' }),
  email_confirmed: Type.Boolean({ description: 'Whether the agent proved that the login is their address' }),
  name: Type.String(),
  job_title: Type.String(),
  avatar: Type.String(),
  permission: oneOf('owner', 'administrator', 'normal'),
  routing_status: RoutingStatus,
  groups: Type.Array(Type.Object({ id: Int32(), name: Type.String() }), {
    description: 'Without the built-in group, which includes all agents',
  }),
  organization_id: Type.String(),
  organization: Type.Object({
    id: Type.String(),
    name: Type.String(),
    license_id: Int32(),
    plan: Type.String(),
    status: oneOf('trial', 'active', 'expired', 'blocked'),
    timezone: Type.String({ description: 'An IANA time zone name' }),
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
  ...servedWithoutLicense,
  summary: 'Returns the signed-in agent and the organization',
  description: 'Accepts the session cookie of `sign_in` or an API key. There is no `session` with an API key.',
  body: Type.Object({}),
  responses: { 200: Type.Object({ ...signedInFields, session: Type.Optional(Session) }) },
});

export const listSessions = agentAction({
  name: 'list_sessions',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Lists the browser sessions of the agent',
  description: 'Newest first.',
  body: Type.Object({}),
  responses: {
    200: Type.Array(
      Type.Object({
        id: Type.String(),
        current: Type.Boolean({ description: 'Whether this session made the request' }),
        browser: Type.String({ description: 'Empty if unknown', examples: ['Chrome 142'] }),
        user_agent: Type.String(),
        ip: Type.String({ description: 'The IP address the agent signed in from' }),
        created_at: Timestamp,
        last_used_at: Type.String({ ...Timestamp, description: 'Rounded to the minute' }),
        expires_at: Timestamp,
      }),
    ),
  },
});

export const revokeSession = agentAction({
  name: 'revoke_session',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Ends one of the agent’s browser sessions and its sockets',
  body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
  responses: { 200: Empty },
});

export const revokeOtherSessions = agentAction({
  name: 'revoke_other_sessions',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Ends all of the agent’s browser sessions except the current one',
  body: Type.Object({}),
  responses: { 200: Type.Object({ revoked: Int32() }) },
});

export const requestEmailConfirmation = agentAction({
  name: 'request_email_confirmation',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Emails the agent a link that confirms the email address',
  description: 'At most three emails per hour go to an address. Does nothing if the address is confirmed.',
  body: Type.Object({}),
  responses: { 200: Empty },
});

export const sessionOperations = [
  getSession,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  requestEmailConfirmation,
];
