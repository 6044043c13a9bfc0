import { DomainError, invalid } from './errors.ts';
import type { OrganizationScope, PartnerScope } from './scope.ts';

const MONTH_MS = 31 * 24 * 3600 * 1000;

/** A position in a sorted list: sort time and id of the row next to the page. */
export interface Cursor {
  at: string;
  id: string;
}

/** The content of a `page_id`; following it needs no other parameters. */
export interface PageState<Filters> {
  filters: Filters;
  limit: number;
  order: 'asc' | 'desc';
  cursor?: Cursor;
  /** A previous page is read backwards from the cursor. */
  backwards?: boolean;
}

interface SignedPageState<Filters> extends PageState<Filters> {
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

/** Page ids are signed, bound to the caller, and expire after a month. */
export const encodePageId = <F>(scope: Owner, list: string, state: PageState<F>): string => {
  const signed: SignedPageState<F> = { ...state, list, owner: ownerOf(scope), issuedAt: scope.now().getTime() };
  const text = Buffer.from(JSON.stringify(signed)).toString('base64url');
  return `${text}.${scope.services.secrets.sign(text)}`;
};

export const decodePageId = <F>(scope: Owner, list: string, pageId: string, field = 'pageId'): PageState<F> => {
  const [text, signature] = pageId.split('.');
  const isSigned = text && signature && scope.services.secrets.isSigned(text, signature);
  const signed: SignedPageState<F> | undefined = isSigned && JSON.parse(Buffer.from(text, 'base64url').toString());
  if (signed?.list !== list || signed.owner !== ownerOf(scope)) throw invalid(field, 'must be a cursor of this list');
  if (scope.now().getTime() - signed.issuedAt > MONTH_MS) throw invalid(field, 'has expired');
  return signed;
};

export interface PageInput<F> {
  pageId?: string | undefined;
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  filters: F;
  /** Whether the request set any filter. */
  filtered?: boolean | undefined;
}

/** Returns the state of the page to follow, or of the first page of a new list. */
export const resolvePage = <F>(
  scope: OrganizationScope,
  list: string,
  input: PageInput<F>,
  defaultLimit: number,
): PageState<F> => {
  if (input.pageId === undefined)
    return { filters: input.filters, limit: input.limit ?? defaultLimit, order: input.order ?? 'desc' };
  if (input.limit !== undefined || input.order !== undefined || input.filtered) {
    throw new DomainError('validation', '`page_id` cannot be combined with filters, limit or order');
  }
  return decodePageId<F>(scope, list, input.pageId);
};

/** Whether this is the first page in descending order, which most requests ask for. */
export const isFirstPage = ({ order, cursor, backwards }: PageState<unknown>): boolean =>
  order === 'desc' && !cursor && !backwards;

/** The order in which rows are read. A page that is read backwards is reversed before it is returned. */
export const readingOrder = ({ order, backwards }: PageState<unknown>): 'asc' | 'desc' =>
  backwards ? (order === 'asc' ? 'desc' : 'asc') : order;

/**
 * Returns one page and its neighbors' ids. `rows` must be in reading order and contain one row more than the limit if
 * there is one.
 */
export const slicePage = <F, Row>(
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
    encodePageId(scope, list, { ...rest, cursor: cursorOf(row), ...(backwards ? { backwards } : {}) });
  const hasNext = state.backwards ? state.cursor !== undefined : more;
  const hasPrevious = state.backwards ? more : state.cursor !== undefined;
  return {
    rows: page,
    ...(hasNext && page.length > 0 ? { nextPageId: seal(page.at(-1)!, false) } : {}),
    ...(hasPrevious && page.length > 0 ? { previousPageId: seal(page[0]!, true) } : {}),
  };
};
