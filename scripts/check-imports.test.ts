import { describe, expect, it } from 'vitest';
import { checkFiles, readSources } from './check-imports.ts';

const check = (file: string, text: string): string[] => checkFiles(new Map([[file, text]]));

it('finds nothing wrong in this project', () => {
  expect(checkFiles(readSources())).toEqual([]);
});

describe('a forbidden import is found', () => {
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

it('lets the permitted ones pass', () => {
  const text = `import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { route } from '#server/http/route.ts';
import { x } from '#server/surfaces/chat-v3/chat-present.ts';
import * as contract from '#contracts/customer/chats.ts';
import { y } from './present.ts';`;
  expect(check('server/surfaces/customer/a.ts', text)).toEqual([]);
  expect(
    check('server/surfaces/customer/a.test.ts', "import { x } from '#server/testing/builders/factories.ts';"),
  ).toEqual([]);
  expect(check('widget/src/a.ts', "import { findLinks } from '#browser/find-links.ts';")).toEqual([]);
});

it('finds a long file, a file without a room and a stolen mark', () => {
  expect(check('server/domain/a.ts', 'x;\n'.repeat(301))).toEqual(['server/domain/a.ts has 301 lines (300 at most)']);
  expect(check('server/elsewhere/a.ts', '')).toHaveLength(1);
  expect(check('server/domain/a.ts', 'const text = PLATFORM_MARK;')).toHaveLength(1);
});
