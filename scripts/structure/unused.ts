import { importsOf, isProduction, type Sources } from './sources.ts';

/** Exports that no production code uses yet, with the reason. */
const UNUSED_EXPORTS: Record<string, string> = {
  defineProperty: 'promised by the Configuration API; no operation reaches it yet',
  updateLicenseProperties: 'promised by the Configuration API; no operation reaches it yet',
  updateGroupProperties: 'promised by the Configuration API; no operation reaches it yet',
  isOnShift: 'the readable form that the model tests compare the incremental schedule with',
};

/** Columns that no production code writes, with the reason. */
const UNWRITTEN_COLUMNS: Record<string, string> = {
  'Installation.setAt': 'set by the database, for operators who look at the table',
};

const EXPORT = /^export (?:async )?(?:const|function|class) (\w+)/gm;

/** Exported values that only tests use, for example a verb that no user can reach. */
export const checkExports = (sources: Sources): string[] => {
  const imported = new Set<string>();
  for (const [file, text] of sources)
    if (isProduction(file))
      for (const { target, names } of importsOf(file, text))
        for (const name of names) imported.add(`${target} ${name}`);
  const problems: string[] = [];
  for (const [file, text] of sources) {
    if (!isProduction(file)) continue;
    for (const [, name] of text.matchAll(EXPORT)) {
      const usedHere = [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length > 1;
      if (!usedHere && !imported.has(`${file} ${name}`) && !UNUSED_EXPORTS[name!])
        problems.push(`${file}: no production code uses ${name}`);
    }
  }
  return problems;
};

interface Column {
  table: string;
  name: string;
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Reads the interfaces in `storage/tables`: `FooTable` has one line per column. */
const readColumns = (sources: Sources): Column[] =>
  [...sources]
    .filter(([file]) => file.startsWith('server/storage/tables/'))
    .flatMap(([, text]) =>
      [...text.matchAll(/interface (\w+)(?:Table|Columns)\b[^{]*\{([^}]*)\}/g)].flatMap(([, table, body]) =>
        [...body!.matchAll(/^ {2}(\w+)\??:(.*)$/gm)]
          // A key or default that the database generates is never written by a statement.
          .filter(([, , type]) => !/GeneratedAlways/.test(type!))
          .map(([, name]) => ({ table: table!, name: name! })),
      ),
    );

const WRITES = /\.(values|set|insert|update|updateTable|insertInto)\(|\b(insert into|do update set|update \w+)\b/;

/**
 * Columns that no production code writes, so that they never have a value. Reads text, so a column counts as
 * written when its name occurs in a file that writes, or as a key of an object that is not a copy of a row.
 */
export const checkColumns = (sources: Sources): string[] => {
  const written = new Set<string>();
  for (const [file, text] of sources) {
    if (!isProduction(file) || /^server\/storage\/(tables|migrations)\//.test(file)) continue;
    if (WRITES.test(text)) for (const [name] of text.matchAll(/\b[a-z]\w*\b/g)) written.add(name);
    for (const [, name] of text.matchAll(/\b([a-z]\w*): (?!row\.|record\.|string|number|boolean|Date)/g))
      written.add(name!);
  }
  return readColumns(sources)
    .filter(({ name }) => !written.has(name) && !written.has(toSnake(name)))
    .filter(({ table, name }) => !UNWRITTEN_COLUMNS[`${table}.${name}`])
    .map(({ table, name }) => `no production code writes ${table}.${name}`);
};
