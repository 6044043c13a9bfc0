import type { Migration } from '../migrate.ts';

/** An order of a customer is one sale, in however many visits it is told. */
export const orders: Migration = {
  id: '0024',
  name: 'orders',
  up: `
delete from goal_hits h using goal_hits e
where e.organization_id = h.organization_id and e.customer_id = h.customer_id and e.goal_id = h.goal_id
  and e.order_id = h.order_id and h.order_id <> '' and (e.reached_at, e.visit_id) < (h.reached_at, h.visit_id);
create unique index goal_hits_of_order on goal_hits (organization_id, customer_id, goal_id, order_id) where order_id <> '';
`,
};
