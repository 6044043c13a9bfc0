import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '#server/testing/app/manual-clock.ts';
import type { Actor } from './access.ts';
import {
  type Cursor,
  decodePageId,
  encodePageId,
  type PageState,
  readingOrder,
  resolvePage,
  slicePage,
} from './paging.ts';
import { openOrganizationScope, type Services } from './scope.ts';
import { createSecrets } from './secrets.ts';

const clock = createManualClock();
const DAY_MS = 24 * 3600 * 1000;
const scopeOf = (actor: Actor = { kind: 'customer', id: 'c1' }, organizationId = 'o1', key = 'a secret key') =>
  openOrganizationScope({ clock, secrets: createSecrets(key) } as unknown as Services, actor, organizationId);

const state: PageState<object> = { filters: { groupIds: [1] }, limit: 7, order: 'asc', cursor: { at: 't', id: 'x' } };
const expectRejected = (scope: ReturnType<typeof scopeOf>, pageId: string, list = 'chats') =>
  expect(() => decodePageId(scope, list, pageId)).toThrow(expect.objectContaining({ code: 'validation' }));

describe('a page id', () => {
  it('decodes to the state it was created with', () => {
    const scope = scopeOf();
    expect(decodePageId(scope, 'chats', encodePageId(scope, 'chats', state))).toMatchObject(state);
  });

  it('is valid only for the same caller and list', () => {
    const pageId = encodePageId(scopeOf(), 'chats', state);
    expectRejected(scopeOf({ kind: 'customer', id: 'c2' }), pageId);
    expectRejected(scopeOf({ kind: 'agent', id: 'c1', permission: 'owner', groupIds: [] }), pageId);
    expectRejected(scopeOf({ kind: 'customer', id: 'c1' }, 'o2'), pageId);
    expectRejected(scopeOf(), pageId, 'threads');
    expectRejected(scopeOf(undefined, 'o1', 'another key'), pageId);
  });

  it('is rejected when a single character is changed', () => {
    const scope = scopeOf();
    const pageId = encodePageId(scope, 'chats', state);
    const [text, signature] = pageId.split('.') as [string, string];
    const forged = Buffer.from(JSON.stringify({ ...state, limit: 1000 })).toString('base64url');
    for (const other of [
      '',
      '.',
      'x',
      text,
      `${text}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      `${pageId}x`,
      `x${pageId}`,
    ])
      expectRejected(scope, other);
    fc.assert(
      fc.property(fc.nat({ max: pageId.length - 1 }), (at) => {
        // The last characters of base64 may contain unused bits, so only different text counts as changed.
        const changed = `${pageId.slice(0, at)}${pageId[at] === 'A' ? 'B' : 'A'}${pageId.slice(at + 1)}`;
        expectRejected(scope, changed);
      }),
    );
  });

  it('expires after a month', () => {
    const scope = scopeOf();
    const pageId = encodePageId(scope, 'chats', state);
    clock.advance(31 * DAY_MS);
    expect(decodePageId(scope, 'chats', pageId)).toMatchObject(state);
    clock.advance(1);
    expect(() => decodePageId(scope, 'chats', pageId)).toThrow(/expired/);
  });

  it('cannot be combined with filters, limit or order', () => {
    const scope = scopeOf();
    const pageId = encodePageId(scope, 'chats', state);
    expect(resolvePage(scope, 'chats', { pageId, filters: {} }, 10)).toMatchObject(state);
    for (const extra of [{ limit: 7 }, { order: 'asc' as const }, { filtered: true }])
      expect(() => resolvePage(scope, 'chats', { pageId, filters: {}, ...extra }, 10)).toThrow(/cannot be combined/);
  });

  it('is not needed for the first page', () => {
    expect(resolvePage(scopeOf(), 'chats', { filters: {} }, 10)).toEqual({ filters: {}, limit: 10, order: 'desc' });
  });
});

interface Row {
  at: number;
  id: string;
}
const cursorOf = ({ at, id }: Row): Cursor => ({ at: String(at).padStart(3, '0'), id });
const compare = (a: Cursor, b: Cursor): number => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1);

/** Simulates the database: rows past the cursor in reading order, one more than the limit. */
const read = (rows: Row[], page: PageState<object>): Row[] => {
  const direction = readingOrder(page) === 'asc' ? 1 : -1;
  return rows
    .filter(
      (row) =>
        !page.cursor || (cursorOf(row).id !== page.cursor.id && compare(cursorOf(row), page.cursor) === direction),
    )
    .toSorted((a, b) => compare(cursorOf(a), cursorOf(b)) * direction)
    .slice(0, page.limit + 1);
};

describe('paging', () => {
  it('returns each item once, forward and backward', () => {
    const scope = scopeOf();
    const rowsOf = fc.uniqueArray(
      fc.record({ at: fc.nat({ max: 5 }), id: fc.integer({ min: 0, max: 99 }).map((n) => `i${n}`) }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(
        rowsOf,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('asc' as const, 'desc' as const),
        (rows, limit, order) => {
          const show = (pageId?: string) => {
            const page = resolvePage<object>(
              scope,
              'l',
              pageId ? { pageId, filters: {} } : { limit, order, filters: {} },
              10,
            );
            return slicePage(scope, 'l', page, read(rows, page), cursorOf);
          };
          const forward = [show()];
          while (forward.at(-1)!.nextPageId) forward.push(show(forward.at(-1)!.nextPageId));
          const backward = [forward.at(-1)!];
          while (backward[0]!.previousPageId) backward.unshift(show(backward[0]!.previousPageId));
          const direction = order === 'asc' ? 1 : -1;
          const all = rows.toSorted((a, b) => compare(cursorOf(a), cursorOf(b)) * direction);
          expect(forward.flatMap((page) => page.rows)).toEqual(all);
          expect(backward.flatMap((page) => page.rows)).toEqual(all);
          expect(forward[0]!.previousPageId).toBeUndefined();
          expect(forward.every((page) => page.rows.length <= limit)).toBe(true);
        },
      ),
    );
  });
});
