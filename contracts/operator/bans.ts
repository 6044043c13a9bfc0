import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, Timestamp } from '../values.ts';

export const createBan = defineOperation({
  name: 'create_ban',
  method: 'POST',
  path: '/operator/v1/organizations/:organization_id/bans',
  audit: true,
  summary: 'Bans a customer or an IP address from an organization',
  description:
    'Either `customer_id` or `ip` is required. The ban takes effect immediately; a shorter ban never ends a longer one.',
  params: Type.Object({ organization_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({
    customer_id: Type.Optional(Type.String({ maxLength: 64 })),
    ip: Type.Optional(Type.String({ maxLength: 64, description: 'An IPv4 or IPv6 address' })),
    days: Int32({ minimum: 1, maximum: 3650 }),
  }),
  responses: {
    201: Type.Object({
      id: Type.String(),
      customer_id: Type.Optional(Type.String()),
      ip: Type.Optional(Type.String()),
      banned_until: Timestamp,
    }),
  },
});
