import { Type } from 'typebox';
import { SessionFieldsInput } from '../chat/customers.ts';
import { Empty, Int32 } from '../values.ts';
import { customerAction } from './operation.ts';

export const checkGoals = customerAction({
  name: 'check_goals',
  summary: 'Records the goals that a customer without a socket reaches',
  description:
    'The page becomes part of the visit; the session fields apply to this request only. No effect for a customer with an open socket, whose goals are recorded anyway.',
  body: Type.Object({
    session_fields: SessionFieldsInput,
    group_id: Int32(),
    page_url: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'An http or https URL',
      examples: ['https://example.com/thank-you'],
    }),
  }),
  responses: { 200: Empty },
});
