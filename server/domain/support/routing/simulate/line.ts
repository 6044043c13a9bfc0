import type { Kind } from './desks.ts';

export interface Waiting {
  kind: Kind;
  priority: number;
  enteredAt: number;
  /** Tells apart who entered at the same time. */
  order: number;
  /** Left, or not there yet. */
  gone: boolean;
}

interface Row<W extends Waiting> {
  waiting: W[];
  head: number;
}

const isBefore = (one: Waiting, other: Waiting): boolean => {
  if (one.priority !== other.priority) return one.priority > other.priority;
  if (one.enteredAt !== other.enteredAt) return one.enteredAt < other.enteredAt;
  return one.order < other.order;
};

export interface Line<W extends Waiting> {
  /** Whoever enters later waits behind those of the same kind and priority. */
  enter(one: W): void;
  /** The first of those whom the test lets pass, taken out. */
  takeFirst(mayPass: (kind: Kind) => boolean): W | undefined;
}

/** The queue. Chats of one kind and priority leave in the order they came, so only the first of each row is looked at. */
export const createLine = <W extends Waiting>(): Line<W> => {
  const rows = new Map<string, Row<W>>();
  const headOf = (row: Row<W>): W | undefined => {
    while (row.waiting[row.head]?.gone) row.head += 1;
    return row.waiting[row.head];
  };
  return {
    enter: (one) => {
      const key = `${one.priority} ${one.kind.key}`;
      const row = rows.get(key) ?? { waiting: [], head: 0 };
      row.waiting.push(one);
      rows.set(key, row);
    },
    takeFirst: (mayPass) => {
      let found: { row: Row<W>; head: W } | undefined;
      for (const row of rows.values()) {
        const head = headOf(row);
        if (head && (!found || isBefore(head, found.head)) && mayPass(head.kind)) found = { row, head };
      }
      if (!found) return undefined;
      // It may enter again: what stays behind in its row must not be taken for it.
      found.row.head += 1;
      found.head.gone = true;
      return found.head;
    },
  };
};
