export interface Heap<T> {
  push(item: T): void;
  /** Removes and returns the first item. */
  pop(): T | undefined;
}

/** A binary heap. `before` must order any two items, or the order of equals is arbitrary. */
export const createHeap = <T>(before: (one: T, other: T) => boolean): Heap<T> => {
  const items: T[] = [];
  const siftUp = (start: number): void => {
    const item = items[start]!;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  };
  const sink = (item: T): void => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
      if (!before(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  };
  return {
    push: (item) => {
      items.push(item);
      siftUp(items.length - 1);
    },
    pop: () => {
      const first = items[0];
      const last = items.pop();
      if (items.length > 0) sink(last!);
      return first;
    },
  };
};
