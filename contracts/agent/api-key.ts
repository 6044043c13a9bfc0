import { Type } from 'typebox';
import { Nullable } from '../values.ts';
import { agentAction } from './operation.ts';

export const revealApiKey = agentAction({
  name: 'reveal_api_key',
  scopes: ['archives_read'],
  reads: true,
  audit: true,
  summary: 'Returns the agent’s API key',
  description: 'Not available over a socket or with an OAuth token.',
  body: Type.Object({
    current_password: Type.String({ minLength: 1, maxLength: 1024 }),
    code: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 20,
          description: 'A one-time or recovery code; required if two-factor authentication is on',
        }),
      ),
    ),
  }),
  responses: { 200: Type.Object({ api_key: Type.String() }) },
});

export const apiKeyOperations = [revealApiKey];
