import { Type } from 'typebox';
import { Customer, SessionFieldsInput } from '../chat/customers.ts';
import { Empty, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const updateCustomer = customerAction({
  name: 'update_customer',
  summary: 'Updates the customer',
  description:
    'At least one field is required. Fields that are null or empty count as absent. While the customer has an active chat, the change is delayed until the last active chat ends.',
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
  summary: 'Replaces the session fields immediately, even during a chat',
  description: 'The user agent and the referrer of the visit are taken from the request headers.',
  body: Type.Object({ session_fields: SessionFieldsInput }),
  responses: { 200: Empty },
});

export const getCustomer = customerAction({
  name: 'get_customer',
  summary: 'Returns the customer who makes the request',
  body: Type.Object({}),
  responses: { 200: Customer },
});

export const requestEmailVerification = customerAction({
  name: 'request_email_verification',
  summary: 'Emails the customer a link to verify the email address',
  description:
    'After the verification, `callback_uri` receives one POST with `email`, `customer_id`, `organization_id` and `verified_at`, without retries; immediately if the address is already verified. Only the 10 newest requests are called back, and none later than 7 days after the last one. The number of emails per hour is limited.',
  body: Type.Object({
    callback_uri: Type.String({ minLength: 1, maxLength: 2048, examples: ['https://example.com/verified'] }),
  }),
  responses: { 200: Empty },
});
