import { Type } from 'typebox';
import { Empty, Nullable } from '../values.ts';
import { agentAction } from './operation.ts';

/** These change nothing that a license is needed for, so they are served when it has ended. */
const always = { reads: true } as const;

const Password = Type.String({ minLength: 1, maxLength: 1024, description: 'Of whoever asks' });
const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown this once; each lets in once instead of a code' }),
});

export const setUpTwoFactor = agentAction({
  name: 'set_up_two_factor',
  scopes: ['archives_read'],
  ...always,
  summary: 'A secret for an authenticator app of the agent’s own',
  description: 'Nothing is asked for at sign-in until `confirm_two_factor` was given a code. Not over a socket.',
  body: Type.Object({ password: Password }),
  responses: {
    200: Type.Object({
      secret: Type.String({ description: 'Base32, to be typed' }),
      uri: Type.String({ description: '`otpauth://`, to be shown as a QR code' }),
    }),
  },
});

export const confirmTwoFactor = agentAction({
  name: 'confirm_two_factor',
  scopes: ['archives_read'],
  ...always,
  summary: 'Asks for a code at sign-in from now on',
  description: 'Signs all other browsers of the agent out.',
  body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 20, description: 'What the app shows' }) }),
  responses: { 200: RecoveryCodes },
});

export const renewRecoveryCodes = agentAction({
  name: 'renew_recovery_codes',
  scopes: ['archives_read'],
  ...always,
  summary: 'Other recovery codes; those before are void',
  description: 'Not over a socket.',
  body: Type.Object({ password: Password }),
  responses: { 200: RecoveryCodes },
});

export const turnOffTwoFactor = agentAction({
  name: 'turn_off_two_factor',
  scopes: ['archives_read'],
  ...always,
  summary: 'Asks for no code any more',
  description:
    'Agents decide about themselves, administrators also about others who lost the device; nobody else about the owner. Not over a socket.',
  body: Type.Object({
    password: Password,
    agent_id: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 254, description: 'The login' }))),
  }),
  responses: { 200: Empty },
});

export const listTwoFactor = agentAction({
  name: 'list_two_factor',
  scopes: ['archives_read'],
  ...always,
  summary: 'Which agents are asked for a code; for administrators',
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
