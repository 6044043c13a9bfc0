import { DomainError, invalid } from './errors.ts';
import type { OrganizationScope, PartnerScope } from './scope.ts';

const MONTH_MS = 31 * 24 * 3600 * 1000;

/** A place in a sorted list: the sort time and the id of the row next to the page. */
export interface Cursor {
  at: string;
  id: string;
}

/** What a `page_id` carries, so that following it needs nothing else. */
export interface PageState<Filters> {
  filters: Filters;
  limit: number;
  order: 'asc' | 'desc';
  cursor?: Cursor;
  /** A previous page is read backwards from its cursor. */
  backwards?: boolean;
}

interface Sealed<Filters> extends PageState<Filters> {
  list: string;
  owner: string;
  issuedAt: number;
}

type Owner = OrganizationScope | PartnerScope;

const ownerOf = (scope: Owner): string => {
  const { actor } = scope;
  const owner = 'partnerId' in scope ? scope.partnerId : scope.organizationId;
  return `${owner} ${actor.kind} ${'id' in actor ? actor.id : ''}`;
};

/** Signed, bound to whoever asked, and void after a month. */
export const sealPage = <F>(scope: Owner, list: string, state: PageState<F>): string => {
  const sealed: Sealed<F> = { ...state, list, owner: ownerOf(scope), issuedAt: scope.now().getTime() };
  const text = Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return `${text}.${scope.services.secrets.sign(text)}`;
};

export const openPage = <F>(scope: Owner, list: string, pageId: string, field = 'page_id'): PageState<F> => {
  const [text, signature] = pageId.split('.');
  if (!text || !signature || !scope.services.secrets.isSigned(text, signature)) throw invalid(field, 'is not valid');
  const sealed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Sealed<F>;
  if (sealed.list !== list || sealed.owner !== ownerOf(scope)) throw invalid(field, 'is not valid');
  if (scope.now().getTime() - sealed.issuedAt > MONTH_MS) throw invalid(field, 'has expired');
  return sealed;
};

export interface PageInput<F> {
  pageId?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  filters: F;
  /** Whether the request named any filter. */
  filtered?: boolean | undefined;
}

/** The state a request asks for: a followed page, or the first one of a new list. */
export const readPage = <F>(
  scope: OrganizationScope,
  list: string,
  input: PageInput<F>,
  defaultLimit: number,
): PageState<F> => {
  if (input.pageId === undefined)
    return { filters: input.filters, limit: input.limit ?? defaultLimit, order: input.order ?? 'desc' };
  if (input.limit !== undefined || input.order !== undefined || input.filtered) {
    throw new DomainError('validation', '`page_id` carries the filters, the limit and the order; send it alone');
  }
  return openPage<F>(scope, list, input.pageId);
};

/** The newest of a list, which is what most ask for. */
export const isFirstPage = ({ order, cursor, backwards }: PageState<unknown>): boolean =>
  order === 'desc' && !cursor && !backwards;

/** Reading backwards turns the order around; the page itself is turned back before it is shown. */
export const readingOrder = ({ order, backwards }: PageState<unknown>): 'asc' | 'desc' =>
  backwards ? (order === 'asc' ? 'desc' : 'asc') : order;

/**
 * Cuts a page from rows read in reading order, one more than the limit, and names its neighbours.
 */
export const cutPage = <F, Row>(
  scope: OrganizationScope,
  list: string,
  state: PageState<F>,
  rows: Row[],
  cursorOf: (row: Row) => Cursor,
): { rows: Row[]; nextPageId?: string; previousPageId?: string } => {
  const more = rows.length > state.limit;
  const cut = rows.slice(0, state.limit);
  const page = state.backwards ? cut.toReversed() : cut;
  const { cursor: _, backwards: __, ...rest } = state;
  const seal = (row: Row, backwards: boolean): string =>
    sealPage(scope, list, { ...rest, cursor: cursorOf(row), ...(backwards ? { backwards } : {}) });
  const hasNext = state.backwards ? state.cursor !== undefined : more;
  const hasPrevious = state.backwards ? more : state.cursor !== undefined;
  return {
    rows: page,
    ...(hasNext && page.length > 0 ? { nextPageId: seal(page.at(-1)!, false) } : {}),
    ...(hasPrevious && page.length > 0 ? { previousPageId: seal(page[0]!, true) } : {}),
  };
};
