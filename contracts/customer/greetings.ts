import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Empty, Int32 } from '../values.ts';
import { customerQuery } from './query.ts';

const UniqueId = Type.String({ minLength: 1, maxLength: 64, description: 'From the push `incoming_greeting`' });

export const acceptGreeting = defineOperation({
  name: 'accept_greeting',
  method: 'POST',
  path: '/v3.5/customer/action/accept_greeting',
  summary: 'Marks a greeting as seen',
  description: 'It counts once. A greeting that was cancelled stays cancelled.',
  query: customerQuery,
  body: Type.Object({ greeting_id: Int32({ description: 'The configured greeting' }), unique_id: UniqueId }),
  responses: { 200: Empty },
});

export const cancelGreeting = defineOperation({
  name: 'cancel_greeting',
  method: 'POST',
  path: '/v3.5/customer/action/cancel_greeting',
  summary: 'Puts a greeting away',
  query: customerQuery,
  body: Type.Object({ unique_id: UniqueId }),
  responses: { 200: Empty },
});
