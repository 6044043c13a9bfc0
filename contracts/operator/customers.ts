import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';

export const anonymiseCustomer = defineOperation({
  name: 'anonymise_customer',
  method: 'POST',
  path: '/operator/v1/customers/:customer_id/anonymise',
  summary: 'Forgets a customer',
  description:
    'Erases who it is and what was said, in chats and in tickets, with its files and its visits; what is counted stays. It cannot be undone.',
  params: Type.Object({ customer_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    organization_id: Type.Optional(Type.String({ maxLength: 64, description: 'Absent: wherever it is known' })),
  }),
  responses: {
    200: Type.Object({ chats: Type.Integer(), files: Type.Integer(), tickets: Type.Integer() }),
  },
});
