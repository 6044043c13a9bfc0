import {
  CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Executor } from './executor.ts';
import type { OrganizationTables, PartnerTables, Tables } from './tables/index.ts';

interface Owners {
  organizationId: OrganizationTables;
  partnerId: PartnerTables;
}

type Name<C extends keyof Owners> = keyof Owners[C] & keyof Tables & string;

/** The tables of one owner. Each query starts with the owner filter. */
export interface OwnedRows<C extends keyof Owners> {
  from<T extends Name<C>>(table: T): SelectQueryBuilder<Tables, T, object>;
  insert<T extends Name<C>>(
    table: T,
    rows: Omit<Insertable<Tables[T]>, C> | Omit<Insertable<Tables[T]>, C>[],
  ): InsertQueryBuilder<Tables, T, InsertResult>;
  update<T extends Name<C>>(table: T): UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  remove<T extends Name<C>>(table: T): DeleteQueryBuilder<Tables, T, DeleteResult>;
}

// The builders' types cannot follow a table name that is itself a type parameter; the interface above declares the types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Untyped = any;

export const ownedRows = <C extends keyof Owners>(db: Kysely<Tables>, column: C, id: string | number): OwnedRows<C> => {
  const untyped = db as Untyped;
  return {
    from: (table) => untyped.selectFrom(table).where(`${table}.${column}`, '=', id),
    insert: (table, rows) =>
      untyped.insertInto(table).values((Array.isArray(rows) ? rows : [rows]).map((row) => ({ ...row, [column]: id }))),
    update: (table) => untyped.updateTable(table).where(`${table}.${column}`, '=', id),
    remove: (table) => untyped.deleteFrom(table).where(`${table}.${column}`, '=', id),
  };
};

/** Runs a hand-written statement inside a transaction of the query builder. */
export const executorOf = (db: Kysely<Tables>): Executor => ({
  query: async <Row>({ text, values }: { text: string; values: unknown[] }) => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values));
    return { rows: rows as never };
  },
});
