import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Name } from '../values.ts';

export const createPartner = defineOperation({
  name: 'create_partner',
  method: 'POST',
  path: '/operator/v1/partners',
  summary: 'Creates a partner with its first API token',
  body: Type.Object({
    login: Email(),
    password: Type.String({ minLength: 6, maxLength: 200 }),
    first_name: Name(),
    last_name: Name(),
    contact_name: Type.Optional(Name()),
    contact_email: Type.Optional(Email()),
    referred_by: Type.Optional(
      Type.String({ pattern: '^[0-9]{1,15}$', description: 'The partner_id of the referrer' }),
    ),
  }),
  responses: { 201: Type.Object({ partner_id: Type.String(), token: Type.String() }) },
  errors: [409],
});
