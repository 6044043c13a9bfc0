import { Type } from 'typebox';
import { Empty, Int32 } from '../values.ts';
import { customerAction } from './operation.ts';

const UniqueId = Type.String({ minLength: 1, maxLength: 64, description: 'From the push `incoming_greeting`' });

export const acceptGreeting = customerAction({
  name: 'accept_greeting',
  summary: 'Marks a greeting as seen',
  description: 'Counted once. A canceled greeting stays canceled.',
  body: Type.Object({ greeting_id: Int32({ description: 'The configured greeting' }), unique_id: UniqueId }),
  responses: { 200: Empty },
});

export const cancelGreeting = customerAction({
  name: 'cancel_greeting',
  summary: 'Dismisses a greeting',
  body: Type.Object({ unique_id: UniqueId }),
  responses: { 200: Empty },
});
