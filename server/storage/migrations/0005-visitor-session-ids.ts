import type { Migration } from '../migrate.ts';

/** Binds a visitor chat session to the visitor id it was started with: that id may belong to another customer. */
export const visitorSessionIds: Migration = {
  id: '0005',
  name: 'visitor session ids',
  up: `
alter table visitor_sessions add column visitor_id text;
update visitor_sessions s set visitor_id = c.visitor_id
from customers c where c.organization_id = s.organization_id and c.id = s.customer_id;
`,
};
