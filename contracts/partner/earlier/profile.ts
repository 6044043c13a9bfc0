import { type Static, Type } from 'typebox';
import { defineOperation } from '../../operation.ts';
import { Email, Empty, Name } from '../../values.ts';
import { WebAddress } from '../values.ts';

const mailSettings = {
  send_monthly_summary: Type.Boolean(),
  send_reseller_weekly_summary: Type.Boolean(),
  send_newsletter: Type.Boolean(),
  send_notifications: Type.Boolean(),
};

const Percent = Type.Object({
  percent: Type.Number(),
  end_timestamp: Type.String({ description: 'Empty if it has no end' }),
});

export const EarlierProfile = Type.Object({
  partner_id: Type.String(),
  login: Type.String(),
  full_name: Type.String(),
  contact_name: Type.String(),
  contact_email: Type.String(),
  websites: Type.Array(Type.String()),
  ...mailSettings,
  affiliate: Type.Object({ url: Type.String(), short_url: Type.String(), current_commission: Percent }),
  reseller: Type.Object({ current_discount: Percent }),
  expert: Type.Object({
    status: Type.String({ description: '`none` for partners who are not experts' }),
    marketplace_position: Type.Integer({ description: '0 if not listed' }),
  }),
});
export type EarlierProfile = Static<typeof EarlierProfile>;

export const getEarlierProfile = defineOperation({
  name: 'get_earlier_profile',
  method: 'GET',
  path: '/v2/partners',
  summary: 'The profile in its earlier shape',
  when: { query: Type.Object({ shape: Type.Literal('earlier') }) },
  query: Type.Object({ shape: Type.Literal('earlier') }),
  responses: { 200: EarlierProfile },
});

/** Fits the longest first and last name together, so that what was read can be written back. */
const MAX_FULL_NAME_LENGTH = 401;

const EarlierProfileChanges = Type.Object({
  full_name: Name({ maxLength: MAX_FULL_NAME_LENGTH }),
  contact_name: Name(),
  contact_email: Email(),
  websites: Type.Optional(Type.Array(WebAddress, { maxItems: 50 })),
  ...mailSettings,
});

export const updateEarlierProfile = defineOperation({
  name: 'update_earlier_profile',
  method: 'PUT',
  path: '/v2/partners',
  audit: true,
  summary: 'Changes the profile in its earlier shape',
  when: { body: Type.Object({ full_name: Type.Unknown() }) },
  body: EarlierProfileChanges,
  responses: { 200: Empty },
});
