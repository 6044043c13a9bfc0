import { Type } from 'typebox';
import { Empty, Nullable } from '../values.ts';
import { agentAction } from './operation.ts';

/** Served without an active license, because these operations use no paid feature. */
const servedWithoutLicense = { reads: true } as const;

const Password = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'The password of the agent who makes the request',
});
const Code = Type.Optional(
  Type.String({
    minLength: 6,
    maxLength: 64,
    description:
      'A code from the authenticator app of the agent who makes the request, or a recovery code. Required if that agent uses two-factor authentication',
  }),
);
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Shown only once. Each code can be used once instead of a one-time code',
  }),
});

export const setUpTwoFactor = agentAction({
  name: 'set_up_two_factor',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Creates a secret for the agent’s authenticator app',
  description: 'Two-factor authentication is active only after `confirm_two_factor`. Not available over a socket.',
  body: Type.Object({ password: Password }),
  responses: {
    200: Type.Object({
      secret: Type.String({ description: 'Base32, for manual entry' }),
      uri: Type.String({ description: 'An `otpauth://` URI to show as a QR code' }),
    }),
  },
});

export const confirmTwoFactor = agentAction({
  name: 'confirm_two_factor',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Turns on two-factor authentication',
  description: 'Ends all other browser sessions of the agent.',
  body: Type.Object({
    code: Type.String({ minLength: 6, maxLength: 20, description: 'The code from the authenticator app' }),
  }),
  responses: { 200: RecoveryCodes },
});

export const renewRecoveryCodes = agentAction({
  name: 'renew_recovery_codes',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  audit: true,
  summary: 'Creates new recovery codes and revokes the previous ones',
  description: 'Not available over a socket.',
  body: Type.Object({ password: Password, code: Code }),
  responses: { 200: RecoveryCodes },
});

export const turnOffTwoFactor = agentAction({
  name: 'turn_off_two_factor',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  audit: true,
  summary: 'Turns off two-factor authentication',
  description:
    'Agents may turn it off for themselves, administrators also for other agents who lost their device, but not for the owner. Not available over a socket.',
  body: Type.Object({
    password: Password,
    code: Code,
    agent_id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 254, description: 'The login' }))),
  }),
  responses: { 200: Empty },
});

export const listTwoFactor = agentAction({
  name: 'list_two_factor',
  scopes: ['archives_read'],
  ...servedWithoutLicense,
  summary: 'Lists which agents use two-factor authentication; administrators only',
  body: Type.Object({}),
  responses: { 200: Type.Array(Type.Object({ agent_id: Type.String(), enabled: Type.Boolean() })) },
});

export const twoFactorOperations = [
  setUpTwoFactor,
  confirmTwoFactor,
  renewRecoveryCodes,
  turnOffTwoFactor,
  listTwoFactor,
];
