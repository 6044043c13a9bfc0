import { describe, expect, it } from 'vitest';
import { checkStructure } from './check-structure.ts';
import { findCycles } from './structure/cycles.ts';
import { checkDomainEdges } from './structure/domain-edges.ts';
import { checkLayers } from './structure/layers.ts';
import { readSources } from './structure/sources.ts';
import { checkTriggers } from './structure/triggers.ts';
import { checkColumns, checkExports } from './structure/unused.ts';

const check = (file: string, text: string): string[] => checkLayers(new Map([[file, text]]));

it('finds no problem in this repository', () => {
  expect(checkStructure(readSources())).toEqual([]);
});

describe('rejects a forbidden import', () => {
  it.each([
    ['server/domain/a.ts', "import { x } from '#contracts/values.ts';"],
    ['server/domain/support/chats/a.ts', "import type { X } from '../../../http/route.ts';"],
    ['server/domain/support/chats/a.ts', "import { x } from '../../partners/ledger/post.ts';"],
    ['server/domain/partners/ledger/a.ts', "import { x } from '../../support/chats/records.ts';"],
    ['server/domain/accounts/payments/a.ts', "import type { X } from '../../partners/ledger/post.ts';"],
    ['server/domain/a.ts', "import type { FastifyRequest } from 'fastify';"],
    ['server/domain/a.ts', "export * from '#server/reactions/index.ts';"],
    ['server/domain/a.ts', "const x = await import('#server/jobs/queue.ts');"],
    ['server/storage/a.ts', "import {\n  type X,\n  y,\n} from '#server/domain/errors.ts';"],
    ['server/ports/a.ts', "import '#server/storage/database.ts';"],
    ['server/surfaces/customer/a.ts', "import { x } from '../operator/auth.ts';"],
    ['server/surfaces/site/a.ts', "import { x } from '#server/surfaces/customer/present.ts';"],
    ['server/surfaces/customer/a.ts', "import { surfaces } from '../index.ts';"],
    ['server/surfaces/customer/a.ts', "import { openContext } from '#server/context.ts';"],
    ['server/surfaces/customer/a.ts', "import { x } from '#server/storage/database.ts';"],
    ['server/surfaces/chat-v3/a.ts', "import { x } from '#server/surfaces/customer/auth.ts';"],
    ['server/jobs/a.ts', "import { x } from '#server/reactions/index.ts';"],
    ['server/http.ts', "import { x } from '#server/testing/builders/factories.ts';"],
    ['server/ports/a.ts', "import { x } from '#server/testing/http/web-receiver.ts';"],
    ['contracts/a.ts', "import type { X } from '#server/domain/errors.ts';"],
    ['widget/a.ts', "import type { X } from '../server/domain/errors.ts';"],
    ['browser/a.ts', "import { x } from '#server/domain/errors.ts';"],
    ['browser/a.ts', "import { x } from '../widget/src/app.tsx';"],
    ['console/src/a.ts', "import { x } from '../../widget/src/app.tsx';"],
  ])('in %s: %s', (file, text) => {
    expect(check(file, text)).toHaveLength(1);
  });
});

it('accepts permitted imports', () => {
  const text = `import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { route } from '#server/http/route.ts';
import { x } from '#server/surfaces/chat-v3/present-chat.ts';
import * as contract from '#contracts/customer/chats.ts';
import { y } from './present.ts';`;
  expect(check('server/surfaces/customer/a.ts', text)).toEqual([]);
  expect(
    check('server/surfaces/customer/a.test.ts', "import { x } from '#server/testing/builders/factories.ts';"),
  ).toEqual([]);
  expect(check('widget/src/a.ts', "import { findLinks } from '#browser/find-links.ts';")).toEqual([]);
});

it('rejects a long file, a file outside every layer and a cross-tenant query outside its files', () => {
  expect(check('server/domain/a.ts', 'x;\n'.repeat(301))).toEqual(['server/domain/a.ts has 301 lines (300 at most)']);
  expect(check('server/elsewhere/a.ts', '')).toHaveLength(1);
  expect(check('server/domain/a.ts', 'const text = PLATFORM_MARK;')).toHaveLength(1);
});

it('finds an import cycle, type imports included', () => {
  const sources = new Map([
    ['server/a.ts', "import { b } from './b.ts';"],
    ['server/b.ts', "import type { C } from './c.ts';"],
    ['server/c.ts', "import { a } from './a.ts';"],
    ['server/d.ts', "import { a } from './a.ts';"],
  ]);
  expect(findCycles(sources).map((files) => files.toSorted())).toEqual([['server/a.ts', 'server/b.ts', 'server/c.ts']]);
});

it('finds an undeclared edge between folders of the domain', () => {
  const sources = new Map([['server/domain/support/tags/a.ts', "import { b } from '../../accounts/oauth/b.ts';"]]);
  expect(checkDomainEdges(sources)).toContain(
    'domain/support/tags imports domain/accounts/oauth: not declared in declared-edges.ts',
  );
});

it('finds a trigger that does more than enforce an invariant', () => {
  const migration = 'create trigger count_chats after insert on chats for each row execute function count_chats();';
  expect(checkTriggers(new Map([['server/storage/migrations/0009-x.ts', migration]]))).toHaveLength(1);
});

it('finds an exported verb that only tests use', () => {
  const verb = 'export const pinChat = () => 1;';
  const test = "import { pinChat } from './pin-chat.ts';";
  const sources = new Map([
    ['server/domain/support/chats/pin-chat.ts', verb],
    ['server/domain/support/chats/pin-chat.test.ts', test],
  ]);
  expect(checkExports(sources)).toEqual(['server/domain/support/chats/pin-chat.ts: no production code uses pinChat']);
  const used = new Map([...sources, ['server/domain/support/chats/b.ts', test]]);
  expect(checkExports(used)).toEqual([]);
});

it('finds a column that no production code writes', () => {
  const table: [string, string] = [
    'server/storage/tables/chats.ts',
    'export interface ChatsTable {\n  pinnedAt: Date;\n}',
  ];
  expect(checkColumns(new Map([table]))).toEqual(['no production code writes Chats.pinnedAt']);
  const writer: [string, string] = ['server/domain/a.ts', "tx.update('chats').set({ pinnedAt: now })"];
  expect(checkColumns(new Map([table, writer]))).toEqual([]);
});
