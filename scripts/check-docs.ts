import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commands } from '#server/commands/index.ts';

const root = path.join(import.meta.dirname, '..');

/** Where links and commands of the documents are looked up; tests pass a fake. */
export interface Repository {
  exists(file: string): boolean;
  /** Whether a file of this name is anywhere in the repository. */
  hasFileNamed(name: string): boolean;
  headings(file: string): Set<string>;
  scripts: ReadonlySet<string>;
  commands: ReadonlySet<string>;
}

const FOLDERS = 'backoffice|bench|browser|console|contracts|deploy|docs|e2e|portal|scripts|server|widget';
const PATH = new RegExp(`^(${FOLDERS})/`);
const SOURCE_FILE = /^[\w.-]+\.(ts|tsx|mjs)$/;
const CODE_BLOCK = /^```[\s\S]*?^```/gm;

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const headingsOf = (text: string): Set<string> =>
  new Set([...text.replace(CODE_BLOCK, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!)));

/** A path with a placeholder or wildcard is checked by the folder before it. */
const isValidMention = (mention: string, repository: Repository): boolean => {
  if (SOURCE_FILE.test(mention)) return repository.hasFileNamed(mention);
  if (!PATH.test(mention) || /\s/.test(mention)) return true;
  const open = mention.search(/[<*{…]/);
  return repository.exists(open < 0 ? mention : mention.slice(0, mention.lastIndexOf('/', open) + 1));
};

const isValidLink = (document: string, link: string, repository: Repository): boolean => {
  if (/^[a-z]+:|^\//.test(link)) return true;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
  return repository.exists(target) && (anchor === undefined || repository.headings(target).has(anchor));
};

/** Everything a document mentions that the repository does not have. */
export const checkDocument = (document: string, text: string, repository: Repository): string[] => {
  const prose = text.replace(CODE_BLOCK, '');
  const mentions = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, mention]) => mention!);
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const runs = [...text.matchAll(/npm run (?:--silent |-s )?([\w-]+)/g)].map(([, script]) => script!);
  const commands = [...text.matchAll(/npm run (?:--silent |-s )?parley -- ([a-z-]+) ([a-z-][a-z0-9-]*)/g)];
  return [
    ...mentions.filter((mention) => !isValidMention(mention, repository)).map((mention) => `\`${mention}\``),
    ...links.filter((link) => !isValidLink(document, link, repository)).map((link) => `(${link})`),
    ...runs.filter((script) => !repository.scripts.has(script)).map((script) => `npm run ${script}`),
    ...commands.flatMap(([, area, command]) =>
      repository.commands.has(`${area} ${command}`) ? [] : [`npm run parley -- ${area} ${command}`],
    ),
  ].map((missing) => `${document}: ${missing} does not exist`);
};

/** The checked documents: everything a person reads in this repository. */
export const listDocuments = (): string[] => globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();

export const readDocument = (document: string): string => readFileSync(path.join(root, document), 'utf8');

export const openRepository = (): Repository => {
  const sources = globSync(`{${FOLDERS.replaceAll('|', ',')}}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
  });
  const fileNames = new Set([...sources, ...globSync('*.{ts,mjs}', { cwd: root })].map((file) => path.basename(file)));
  const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };
  return {
    exists: (file) => existsSync(path.join(root, file)),
    hasFileNamed: (name) => fileNames.has(name),
    headings: (file) => headingsOf(readDocument(file)),
    scripts: new Set(Object.keys(scripts)),
    commands: new Set(
      Object.entries(commands).flatMap(([area, entries]) =>
        Object.keys(entries).map((command) => `${area} ${command}`),
      ),
    ),
  };
};
