import { Type } from 'typebox';
import { Customer, SessionFieldsInput } from '../chat/customers.ts';
import { Empty, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const updateCustomer = customerAction({
  name: 'update_customer',
  summary: 'Changes what is known about the customer',
  description:
    'At least one field is required; what is null or an empty text counts as absent. While the customer has an active chat the change waits until the last one ends.',
  body: Type.Object({
    name: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
    email: Type.Optional(Nullable(Type.String({ maxLength: 254, examples: ['someone@example.com'] }))),
    avatar: Type.Optional(
      Nullable(
        Type.String({ maxLength: 2048, description: 'An http or https URL', examples: ['https://example.com/me.png'] }),
      ),
    ),
    session_fields: Type.Optional(Nullable(SessionFieldsInput)),
  }),
  responses: { 200: Empty },
});

export const setCustomerSessionFields = customerAction({
  name: 'set_customer_session_fields',
  summary: 'Replaces the session fields at once, also during a chat',
  description: 'The user agent and the referrer of the visit are taken from the headers of the request.',
  body: Type.Object({ session_fields: SessionFieldsInput }),
  responses: { 200: Empty },
});

export const getCustomer = customerAction({
  name: 'get_customer',
  summary: 'The customer who asks',
  body: Type.Object({}),
  responses: { 200: Customer },
});

export const requestEmailVerification = customerAction({
  name: 'request_email_verification',
  summary: 'Asks the customer by mail to confirm the address',
  description:
    'After the confirmation `callback_uri` gets a POST with `email`, `customer_id`, `organization_id` and `verified_at`, without retries; at once if the address is verified already. Only the 10 newest requests are called back, and none 7 days after the last one. Of many requests in an hour only the first send a mail.',
  body: Type.Object({
    callback_uri: Type.String({ minLength: 1, maxLength: 2048, examples: ['https://example.com/verified'] }),
  }),
  responses: { 200: Empty },
});
