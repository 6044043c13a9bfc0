import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';

export const anonymiseCustomer = defineOperation({
  name: 'anonymise_customer',
  method: 'POST',
  path: '/operator/v1/customers/:customer_id/anonymise',
  audit: true,
  summary: 'Erases a customer',
  description:
    'Erases the personal data, messages, files and visits of a customer in chats and tickets; counts in reports stay. This cannot be undone.',
  params: Type.Object({ customer_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    organization_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Default: any organization of the agent' }),
    ),
  }),
  responses: {
    200: Type.Object({ chats: Type.Integer(), files: Type.Integer(), tickets: Type.Integer() }),
  },
});
