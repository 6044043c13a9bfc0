import { Type } from 'typebox';
import type { SurfaceContract } from '../operation.ts';
import { oneOf } from '../values.ts';
import {
  createCustomerToken,
  createGroupCustomerToken,
  getCustomerTokenInfo,
  revokeCustomerToken,
} from './customer-tokens.ts';

/** The error types that OAuth clients of this API know. */
export const oauthExceptions = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'invalid_grant',
  'invalid_client',
  'forbidden',
  'conflict',
  'resource_not_found',
] as const;

export type OauthException = (typeof oauthExceptions)[number];

export const OauthError = Type.Object({
  oauth_exception: oneOf(...oauthExceptions),
  exception_description: Type.String(),
});

export const accountsContract: SurfaceContract = {
  name: 'accounts',
  title: 'Accounts API',
  version: '2',
  description: 'Tokens and sign-in.',
  operations: [createCustomerToken, createGroupCustomerToken, getCustomerTokenInfo, revokeCustomerToken],
  error: OauthError,
  errors: [400, 401, 403, 404, 405, 413, 421, 429, 500, 503],
  security: { customerToken: { type: 'http', scheme: 'bearer', description: 'A customer token' } },
};
