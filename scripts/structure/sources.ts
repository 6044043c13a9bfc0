import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Path from the repository root → text. */
export type Sources = ReadonlyMap<string, string>;

const root = path.join(import.meta.dirname, '../..');
const FOLDERS = ['browser', 'contracts', 'server', 'scripts', 'bench', 'e2e', 'console', 'portal', 'widget'];

export const readSources = (): Map<string, string> => {
  const isGenerated = (name: string): boolean => /(^|\/)(node_modules|dist)(\/|$)/.test(name);
  const names = globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
    { cwd: root },
  );
  return new Map(
    names
      .filter((name) => !isGenerated(name))
      .sort()
      .map((name) => [name, readFileSync(path.join(root, name), 'utf8')]),
  );
};

/** Tests and their support code. */
export const isTestSupport = (file: string): boolean => /\.test\.tsx?$|^server\/testing\//.test(file);

/** Part of the running server: neither test, benchmark nor script. */
export const isProduction = (file: string): boolean => file.startsWith('server/') && !isTestSupport(file);

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?:(type\s)?\s*([^'";]*?)\s*from\s+)?'([^']+)'|(?:(\{[^{}]*\}) = await )?\bimport\(\s*'([^']+)'(?:\)\)\.(\w+))?/g;

export interface Import {
  target: string;
  /** The imported names; for a namespace import those that the file uses of it. */
  names: string[];
  typesOnly: boolean;
}

const readNames = (clause: string): string[] =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

export const importsOf = (file: string, text: string): Import[] =>
  [...text.matchAll(IMPORT)].map(([, type, clause = '', from, taken = '', dynamic, member]) => {
    const target = (from ?? dynamic)!;
    const names = [...readNames(clause || taken), ...(member ? [member] : [])];
    const namespace = /\* as (\w+)/.exec(clause)?.[1];
    if (namespace) for (const [, name] of text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))) names.push(name!);
    return {
      target: target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target.replace(/^#/, ''),
      names: names.map((name) => name.replace(/^type /, '').split(' as ')[0]!),
      typesOnly: type !== undefined || (names.length > 0 && names.every((name) => name.startsWith('type '))),
    };
  });
