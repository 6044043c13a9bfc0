import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Email, Name } from '../values.ts';

export const Profile = Type.Object({
  partner_id: Type.String(),
  login: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  contact_name: Type.String(),
  contact_email: Type.String(),
  solution_status: Type.String(),
  properties: Type.Record(Type.String(), Type.Boolean(), { description: 'The popups that were dismissed' }),
});
export type Profile = Static<typeof Profile>;

export const getProfile = defineOperation({
  name: 'get_profile',
  method: 'GET',
  path: '/v2/partners',
  summary: 'The partner’s own profile',
  responses: { 200: Profile },
});

export const updateProfile = defineOperation({
  name: 'update_profile',
  method: 'PUT',
  path: '/v2/partners',
  audit: true,
  summary: 'Changes the profile and the email settings',
  description: 'An email setting that is left out stays unchanged.',
  body: Type.Object({
    first_name: Name(),
    last_name: Name(),
    contact_name: Name(),
    contact_email: Email(),
    send_monthly_summary: Type.Optional(Type.Boolean()),
    send_reseller_weekly_summary: Type.Optional(Type.Boolean()),
    send_newsletter: Type.Optional(Type.Boolean()),
    send_notifications: Type.Optional(Type.Boolean()),
  }),
  responses: { 204: null },
});
