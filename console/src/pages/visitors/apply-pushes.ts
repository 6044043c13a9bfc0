import { replaceEqualDeep } from '@tanstack/react-query';
import type { Push } from '#contracts/chat/frames.ts';
import { fromPush, toSeconds, type Visitor } from './visitor.ts';

const MAX_PAGES = 50;

type Of<A extends Push['action']> = Extract<Push, { action: A }>['payload'];

const addPage = (visitor: Visitor, { page }: Of<'customer_page_updated'>): Visitor => {
  const at = toSeconds(page.opened_at);
  const last = visitor.pages.at(-1);
  // The list may already contain this page view.
  if (last && (last.at > at || (last.at === at && last.url === page.url))) return visitor;
  const opened = { url: page.url, title: page.title ?? '', at, invitation: '' };
  return { ...visitor, pages: [...visitor.pages, opened].slice(-MAX_PAGES), views: visitor.views + 1 };
};

const rename = (visitor: Visitor, { name, session_fields }: Of<'customer_updated'>): Visitor => ({
  ...visitor,
  name: name ?? visitor.name,
  variables:
    session_fields?.flatMap((field) => Object.entries(field).map(([key, value]) => ({ key, value }))) ??
    visitor.variables,
});

/** Applies pushes; returns the same list if none concerns a visitor. */
export const applyPushes = (visitors: Visitor[], batch: Push[]): Visitor[] => {
  const visitorsById = new Map(visitors.map((visitor) => [visitor.id, visitor]));
  let changed = false;
  const change = (id: string, next: (visitor: Visitor) => Visitor): void => {
    const visitor = visitorsById.get(id);
    if (!visitor) return;
    visitorsById.set(id, next(visitor));
    changed ||= visitorsById.get(id) !== visitor;
  };
  for (const push of batch) {
    if (push.action === 'customer_visit_started') {
      const { customer } = push.payload;
      if (visitorsById.has(customer.id)) continue;
      visitorsById.set(customer.id, fromPush(customer));
      changed = true;
    } else if (push.action === 'customer_visit_ended') {
      changed = visitorsById.delete(push.payload.customer_id) || changed;
    } else if (push.action === 'customer_page_updated') {
      change(push.payload.customer_id, (visitor) => addPage(visitor, push.payload));
    } else if (push.action === 'customer_updated') {
      change(push.payload.id, (visitor) => rename(visitor, push.payload));
    }
  }
  return changed ? [...visitorsById.values()] : visitors;
};

/** Reuses unchanged visitors of the previous list, so only changed rows rerender. */
export const shareVisitors = (before: Visitor[] | undefined, after: Visitor[]): Visitor[] => {
  const byId = new Map(before?.map((visitor) => [visitor.id, visitor]));
  return after.map((visitor) => replaceEqualDeep(byId.get(visitor.id), visitor));
};
