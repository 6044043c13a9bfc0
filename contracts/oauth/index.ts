import { Type } from 'typebox';
import { OauthError } from '../accounts/index.ts';
import { signedInFields } from '../agent/sessions.ts';
import { defineOperation, type SurfaceContract } from '../operation.ts';
import { Empty, oneOf } from '../values.ts';

const Text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) });

const tokenFields = {
  access_token: Type.String(),
  account_id: Type.String({ description: 'The login of the agent' }),
  expires_in: Type.Integer(),
  organization_id: Type.String(),
  scope: Type.String({ description: 'Separated by commas', examples: ['archives_read,tickets_write'] }),
  token_type: Type.Literal('Bearer'),
};

/** The token, for clients that cannot set a header. */
const TokenQuery = Type.Object({ code: Type.Optional(Type.String({ maxLength: 512 })) });

export const issueTokens = defineOperation({
  name: 'issue_tokens',
  method: 'POST',
  path: '/v2/token',
  summary: 'Exchanges a code or a single-use refresh token for tokens',
  description:
    'Using a code or a refresh token twice revokes everything issued for the same consent. At most 25 tokens of a kind per client and agent; beyond that the oldest are revoked.',
  public: true,
  body: Type.Object({
    grant_type: oneOf('authorization_code', 'refresh_token'),
    client_id: Type.Optional(Text(128, 'Here, or with the secret as Basic Auth')),
    client_secret: Type.Optional(Text(512, 'Of clients that can keep one')),
    code: Type.Optional(Text(512)),
    redirect_uri: Type.Optional(Text(2048, 'The same as in the authorization request')),
    code_verifier: Type.Optional(Text(128, '43 to 128 characters')),
    refresh_token: Type.Optional(Text(512)),
  }),
  responses: { 200: Type.Object({ ...tokenFields, refresh_token: Type.String() }) },
});

export const revokeToken = defineOperation({
  name: 'revoke_token',
  method: 'DELETE',
  path: '/v2/token',
  summary: 'Revokes the token of the request; a refresh token revokes the whole grant',
  query: TokenQuery,
  responses: { 200: Empty },
});

export const getTokenInfo = defineOperation({
  name: 'get_token_info',
  method: 'GET',
  path: '/v2/info',
  summary: 'The owner, the scopes and the lifetime of the token',
  query: TokenQuery,
  responses: { 200: Type.Object({ ...tokenFields, client_id: Type.String() }) },
});

const SecondStep = Type.Object(
  {
    two_factor_required: Type.Literal(true),
    ticket: Type.String({ description: 'For `sign_in_with_code`' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
  },
  { description: 'The password was correct, and a two-factor code is required; there is no session yet' },
);

const OrganizationChoice = Type.Object(
  {
    organization_required: Type.Literal(true),
    organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'Those with a confirmed address first',
    }),
  },
  { description: 'The password fits in several organizations: call again with one as `organization_id`' },
);

export const signIn = defineOperation({
  name: 'sign_in',
  method: 'POST',
  path: '/signin',
  summary: 'Signs an agent in with a session cookie',
  description: 'With the cookie, `GET /agents/<own login>` returns the API key.',
  public: true,
  body: Type.Object({
    login: Text(254),
    password: Text(1024),
    organization_id: Type.Optional(Text(64, 'Needed if the password fits in several organizations')),
  }),
  responses: { 200: Type.Object(signedInFields), 202: Type.Union([SecondStep, OrganizationChoice]) },
});

export const signInWithCode = defineOperation({
  name: 'sign_in_with_code',
  method: 'POST',
  path: '/signin/code',
  summary: 'Completes two-factor sign-in',
  description: 'Codes and recovery codes work once. Attempts are limited, then one per minute.',
  public: true,
  body: Type.Object({
    ticket: Text(2048, 'Of `sign_in`'),
    code: Text(64, 'What the app shows, or a recovery code'),
  }),
  responses: { 200: Type.Object(signedInFields) },
});

export const signInWithLink = defineOperation({
  name: 'sign_in_with_link',
  method: 'POST',
  path: '/signin/link',
  summary: 'Starts a session with a single-use link',
  description: 'For example the link that the first start prints: `/console/first-run?token=…`.',
  public: true,
  body: Type.Object({ token: Text(512) }),
  responses: { 200: Type.Object(signedInFields), 202: SecondStep },
});

export const requestPasswordReset = defineOperation({
  name: 'request_password_reset',
  method: 'POST',
  path: '/signin/forgotten',
  summary: 'Emails a password reset link',
  description:
    'The response is the same whether or not the login exists. The link, `/console/reset-password?token=…`, works once and for an hour.',
  public: true,
  body: Type.Object({ login: Text(254) }),
  responses: { 200: Empty },
});

export const resetPassword = defineOperation({
  name: 'reset_password',
  method: 'POST',
  path: '/signin/reset',
  summary: 'Sets a new password with an emailed link',
  description: 'Signs the agent out of all browsers; does not sign in.',
  public: true,
  body: Type.Object({
    token: Text(512),
    password: Type.String({ minLength: 8, maxLength: 1024 }),
    reset_api_key: Type.Optional(Type.Boolean({ description: 'Also replaces the agent’s API key; default false' })),
  }),
  responses: { 200: Empty },
});

export const signOut = defineOperation({
  name: 'sign_out',
  method: 'DELETE',
  path: '/signin',
  summary: 'Ends the session of the cookie',
  public: true,
  responses: { 200: Empty },
});

export const oauthContract: SurfaceContract = {
  name: 'oauth',
  title: 'Sign-in and OAuth 2.0',
  version: '2',
  description:
    'OAuth 2.0 for apps, which agents authorize on the page `/oauth/authorize`, and sign-in for the console.',
  operations: [
    ...[issueTokens, revokeToken, getTokenInfo],
    ...[signIn, signInWithCode, signInWithLink, requestPasswordReset, resetPassword, signOut],
  ],
  error: OauthError,
  errors: [400, 401, 403, 404, 405, 413, 421, 429, 500, 503],
  security: { token: { type: 'http', scheme: 'bearer', description: 'An access token' } },
};
