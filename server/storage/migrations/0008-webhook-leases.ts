import type { Migration } from '../migrate.ts';

/** A process leases a webhook instead of single deliveries, and reads deliveries in their order. */
export const webhookLeases: Migration = {
  id: '0008',
  name: 'webhook-leases',
  up: `
create index webhook_deliveries_pending on webhook_deliveries (organization_id, webhook_id, sequence) where state = 'pending';
drop index webhook_deliveries_due;
alter table webhook_deliveries drop column leased_until;
alter table webhooks add column leased_by uuid, add column leased_until timestamptz(3);
`,
};
