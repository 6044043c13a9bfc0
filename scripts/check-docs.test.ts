import { expect, it } from 'vitest';
import { checkDocument, listDocuments, openRepository, type Repository, readDocument } from './check-docs.ts';

const repository = openRepository();

it.each(listDocuments())('%s mentions only paths, links and commands that exist', (document) => {
  expect(checkDocument(document, readDocument(document), repository)).toEqual([]);
});

const small: Repository = {
  exists: (file) => ['docs/a.md', 'docs/b.md', 'server/domain/'].includes(file),
  hasFileNamed: (name) => name === 'present.ts',
  headings: () => new Set(['first-steps']),
  scripts: new Set(['lint', 'parley']),
  commands: new Set(['ledger verify']),
};

it.each([
  ['a path in backticks', 'See `server/gone.ts`.', '`server/gone.ts`'],
  ['the folder of a path with a placeholder', 'See `server/gone/<noun>.ts`.', '`server/gone/<noun>.ts`'],
  ['a file name', 'See `gone.ts`.', '`gone.ts`'],
  ['a link', '[b](c.md)', '(c.md)'],
  ['the anchor of a link', '[b](b.md#last-steps)', '(b.md#last-steps)'],
  ['a script', '```\nnpm run gone\n```', 'npm run gone'],
  ['a command', 'Run `npm run parley -- ledger gone`.', 'npm run parley -- ledger gone'],
])('reports %s that does not exist', (_, text, missing) => {
  expect(checkDocument('docs/a.md', text, small)).toEqual([`docs/a.md: ${missing} does not exist`]);
});

it('accepts existing paths, names, links and commands, URL paths, and paths inside code blocks', () => {
  const text = [
    '`server/domain/<noun>/<verb>.ts`, `present.ts`, `/docs/customer`, `chats.read`',
    '[b](b.md#first-steps), [here](#first-steps), [far](https://example.com/x#y)',
    'Run `npm run lint` or `npm run parley -- ledger verify`.',
    '```\nserver/gone.ts\n```',
  ].join('\n\n');
  expect(checkDocument('docs/a.md', text, small)).toEqual([]);
});
