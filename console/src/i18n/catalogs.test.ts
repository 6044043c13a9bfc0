import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const CONSOLE = path.resolve(import.meta.dirname, '../..');

interface Node {
  type: string;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Calls `visit` for every node; children of a node for which it returns `false` are left out. */
const walk = (value: unknown, visit: (node: Node) => unknown): void => {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  else if (isNode(value) && visit(value) !== false) for (const child of Object.values(value)) walk(child, visit);
};

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? '') : '');

interface Source {
  file: string;
  program: unknown;
  /** The area whose catalog its `t` reads first. */
  area: string;
}

const sources: Source[] = globSync('src/**/*.{ts,tsx}', { cwd: CONSOLE })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({
    file,
    program: parseSync(file, readFileSync(path.join(CONSOLE, file), 'utf8')).program,
    area: /^src\/pages\/([^/]+)\//.exec(file)?.[1] ?? 'common',
  }));

const readCatalog = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(CONSOLE, 'locales', file), 'utf8'));

const catalogs = new Map(
  globSync('*.json', { cwd: path.join(CONSOLE, 'locales/en') }).map((file) => [
    path.basename(file, '.json'),
    readCatalog(`en/${file}`),
  ]),
);

const baseOf = (key: string): string => key.replace(/_(one|other)$/, '');
const textsOf = (area: string, key: string): string[] =>
  Object.entries(catalogs.get(area) ?? {}).flatMap(([name, text]) => (baseOf(name) === key ? [text] : []));
const placeholdersOf = (text: string): string[] => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name!);

interface Usage {
  file: string;
  area: string;
  key: string;
  /** Names of the given values; `undefined` when they are not written out at the call. */
  values: string[] | undefined;
}

const namesOfMembers = (object: unknown): string[] | undefined => {
  if (object === undefined) return [];
  if (!isNode(object) || object.type !== 'ObjectExpression') return undefined;
  return (object.properties as Node[]).map(({ key }) => nameOf(key));
};

/** `t('key', values)` and `richText(t, 'key', elements)`. */
const findUsages = ({ file, program, area }: Source): Usage[] => {
  const usages: Usage[] = [];
  walk(program, (node) => {
    const callee = node.type === 'CallExpression' ? nameOf(node.callee) : '';
    if (callee !== 't' && callee !== 'richText') return;
    const [key, values] = (node.arguments as Node[]).slice(callee === 't' ? 0 : 1);
    const name = String(key?.value);
    const isOwn = textsOf(area, name).length > 0;
    usages.push({ file, area: isOwn ? area : 'common', key: name, values: namesOfMembers(values) });
  });
  return usages;
};

const usages = sources.filter(({ file }) => !file.startsWith('src/i18n/')).flatMap(findUsages);

describe('message catalogs', () => {
  it('have a text for every used key, with matching placeholders', () => {
    for (const { file, area, key, values } of usages) {
      const texts = textsOf(area, key);
      expect(texts.length, `${file}: ${area}/${key}`).toBeGreaterThan(0);
      const needed = new Set(texts.flatMap(placeholdersOf));
      if (values) expect(new Set([...needed, 'count']), `${file}: ${key}`).toEqual(new Set([...values, 'count']));
    }
  });

  it('have no unused keys', () => {
    const used = new Set(usages.map(({ area, key }) => `${area}/${key}`));
    const keys = [...catalogs].flatMap(([area, texts]) => Object.keys(texts).map((key) => `${area}/${baseOf(key)}`));
    expect(keys.filter((key) => !used.has(key))).toEqual([]);
  });

  it('do not redefine common keys', () => {
    const common = new Set(Object.keys(catalogs.get('common')!).map(baseOf));
    for (const [area, texts] of catalogs)
      if (area !== 'common')
        expect(
          Object.keys(texts).filter((key) => common.has(baseOf(key))),
          area,
        ).toEqual([]);
  });

  it('have the same keys and placeholders in every language', () => {
    for (const file of globSync('*/*.json', { cwd: path.join(CONSOLE, 'locales') })) {
      const english = catalogs.get(path.basename(file, '.json'));
      for (const [key, text] of Object.entries(readCatalog(file))) {
        // Languages differ in their plural forms: _few, _many, …
        const base = key.replace(/_(zero|one|two|few|many|other)$/, '');
        const expected = Object.entries(english ?? {}).find(([name]) => baseOf(name) === base)?.[1];
        expect(expected, `${file}: ${key}`).toBeDefined();
        expect(new Set([...placeholdersOf(text), 'count']), `${file}: ${key}`).toEqual(
          new Set([...placeholdersOf(expected!), 'count']),
        );
      }
    }
  });
});

const TEXT_ATTRIBUTES = new Set([
  ...['label', 'placeholder', 'title', 'alt', 'aria-label', 'description', 'about', 'question', 'none', 'suffix'],
  ...['confirmLabel', 'saveLabel', 'submitLabel', 'addLabel', 'upLabel', 'downLabel', 'totalLabel'],
]);

const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);
/** Examples of addresses and codes are the same in every language. */
const isExample = (text: string): boolean => /^(https:\/\/\S*|\S+\.example\S*|[A-Z]{3})$/.test(text);

/** Literal texts below a node, without arguments of calls such as `t` and values that are compared. */
const findTexts = (value: unknown): string[] => {
  const texts: string[] = [];
  walk(value, (node) => {
    if (node.type === 'CallExpression' || node.type === 'BinaryExpression') return false;
    if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node.type === 'TemplateElement') texts.push((node.value as { cooked: string }).cooked);
    return true;
  });
  return texts.filter((text) => hasWords(text) && !isExample(text));
};

it('no UI text is written in the code', () => {
  const found: string[] = [];
  for (const { file, program } of sources) {
    walk(program, (node) => {
      const report = (texts: string[]) => found.push(...texts.map((text) => `${file}: ${text}`));
      if (node.type === 'JSXText') report([String(node.value).trim()].filter(hasWords));
      if (node.type === 'JSXAttribute' && TEXT_ATTRIBUTES.has(nameOf(node.name))) report(findTexts(node.value));
      if (node.type === 'CallExpression' && /^notify/.test(nameOf(node.callee))) report(findTexts(node.arguments));
    });
  }
  expect(found).toEqual([]);
});
