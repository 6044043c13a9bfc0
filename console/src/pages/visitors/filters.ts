import type { Filters } from '../../app/use-filters.ts';
import { currentPage, type Visitor } from './visitor.ts';

export const VISITOR_FILTERS = ['q', 'state', 'group', 'country', 'order'] as const;
export type VisitorFilters = Filters<(typeof VISITOR_FILTERS)[number]>;

const textOf = (visitor: Visitor): string => {
  const page = currentPage(visitor);
  return [
    ...[visitor.name, visitor.id, visitor.place, visitor.ip, visitor.browser, visitor.referrer, visitor.searched],
    ...[page?.url, page?.title, ...visitor.variables.map(({ key, value }) => `${key} ${value}`)],
  ]
    .join('\n')
    .toLowerCase();
};

const ORDERS: Record<string, (a: Visitor, b: Visitor) => number> = {
  longest: (a, b) => a.startedAt - b.startedAt,
  pages: (a, b) => b.views - a.views,
  chats: (a, b) => b.chats - a.chats,
  name: (a, b) => a.name.localeCompare(b.name),
};
const LATEST = (a: Visitor, b: Visitor): number => b.startedAt - a.startedAt;

/** Filters and sorts visitors. Every search word must occur in a column. */
export const chooseVisitors = (visitors: Visitor[], filters: VisitorFilters): Visitor[] => {
  const words = (filters.q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const matchesFilters = (visitor: Visitor): boolean => {
    if (filters.state !== undefined && visitor.state !== filters.state) return false;
    if (filters.group !== undefined && String(visitor.group) !== filters.group) return false;
    if (filters.country !== undefined && visitor.country !== filters.country) return false;
    if (words.length === 0) return true;
    const text = textOf(visitor);
    return words.every((word) => text.includes(word));
  };
  const compare = ORDERS[filters.order ?? ''] ?? LATEST;
  return visitors.filter(matchesFilters).sort((a, b) => compare(a, b) || (a.id < b.id ? -1 : 1));
};

export const countriesOf = (visitors: Visitor[]): string[] =>
  [...new Set(visitors.map(({ country }) => country).filter(Boolean))].sort();

/** Number of active filters in the drawer. */
export const countFilters = ({ group, country, order }: VisitorFilters): number =>
  [group, country, order].filter((value) => value !== undefined).length;
