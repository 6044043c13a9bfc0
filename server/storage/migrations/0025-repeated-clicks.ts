import type { Migration } from '../migrate.ts';

/** A click that does not count, because somebody like the visitor came before, still tells who brought them. */
export const repeatedClicks: Migration = {
  id: '0025',
  name: 'repeated-clicks',
  up: `
create index uncounted_clicks_of_visitor on uncounted_clicks (visitor_id, clicked_at) where reason = 'repeat';
`,
};
