import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdClock } from '#server/testing/app/clock.ts';
import type { Actor } from './access.ts';
import { type Cursor, cutPage, openPage, type PageState, readingOrder, readPage, sealPage } from './paging.ts';
import { openOrganizationScope, type Services } from './scope.ts';
import { createSecrets } from './secrets.ts';

const clock = holdClock();
const DAY_MS = 24 * 3600 * 1000;
const scopeOf = (actor: Actor = { kind: 'customer', id: 'c1' }, organizationId = 'o1', key = 'a secret key') =>
  openOrganizationScope({ clock, secrets: createSecrets(key) } as unknown as Services, actor, organizationId);

const state: PageState<object> = { filters: { groupIds: [1] }, limit: 7, order: 'asc', cursor: { at: 't', id: 'x' } };
const refusedFor = (scope: ReturnType<typeof scopeOf>, pageId: string, list = 'chats') =>
  expect(() => openPage(scope, list, pageId)).toThrow(expect.objectContaining({ code: 'validation' }));

describe('a page id', () => {
  it('carries what it was sealed with', () => {
    const scope = scopeOf();
    expect(openPage(scope, 'chats', sealPage(scope, 'chats', state))).toMatchObject(state);
  });

  it('counts only for whoever asked, in the list it came from', () => {
    const pageId = sealPage(scopeOf(), 'chats', state);
    refusedFor(scopeOf({ kind: 'customer', id: 'c2' }), pageId);
    refusedFor(scopeOf({ kind: 'agent', id: 'c1', permission: 'owner', groupIds: [] }), pageId);
    refusedFor(scopeOf({ kind: 'customer', id: 'c1' }, 'o2'), pageId);
    refusedFor(scopeOf(), pageId, 'threads');
    refusedFor(scopeOf(undefined, 'o1', 'another key'), pageId);
  });

  it('is refused when a single letter was changed', () => {
    const scope = scopeOf();
    const pageId = sealPage(scope, 'chats', state);
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
      refusedFor(scope, other);
    fc.assert(
      fc.property(fc.nat({ max: pageId.length - 1 }), (at) => {
        // The last letters of base64 may carry bits that are not read, so only other text counts as changed.
        const changed = `${pageId.slice(0, at)}${pageId[at] === 'A' ? 'B' : 'A'}${pageId.slice(at + 1)}`;
        refusedFor(scope, changed);
      }),
    );
  });

  it('is void after a month', () => {
    const scope = scopeOf();
    const pageId = sealPage(scope, 'chats', state);
    clock.advance(31 * DAY_MS);
    expect(openPage(scope, 'chats', pageId)).toMatchObject(state);
    clock.advance(1);
    expect(() => openPage(scope, 'chats', pageId)).toThrow(/expired/);
  });

  it('must be sent alone', () => {
    const scope = scopeOf();
    const pageId = sealPage(scope, 'chats', state);
    expect(readPage(scope, 'chats', { pageId, filters: {} }, 10)).toMatchObject(state);
    for (const extra of [{ limit: 7 }, { order: 'asc' as const }, { filtered: true }])
      expect(() => readPage(scope, 'chats', { pageId, filters: {}, ...extra }, 10)).toThrow(/send it alone/);
  });

  it('is not needed for the first page', () => {
    expect(readPage(scopeOf(), 'chats', { filters: {} }, 10)).toEqual({ filters: {}, limit: 10, order: 'desc' });
  });
});

interface Row {
  at: number;
  id: string;
}
const cursorOf = ({ at, id }: Row): Cursor => ({ at: String(at).padStart(3, '0'), id });
const compare = (a: Cursor, b: Cursor): number => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1);

/** What the database does: rows past the cursor, in reading order, one more than asked. */
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

describe('walking through pages', () => {
  it('shows each item once, forward and then backward again', () => {
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
            const page = readPage<object>(
              scope,
              'l',
              pageId ? { pageId, filters: {} } : { limit, order, filters: {} },
              10,
            );
            return cutPage(scope, 'l', page, read(rows, page), cursorOf);
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
