export interface Opened {
  head: Uint8Array;
  /** The content from its first byte on, the head included. */
  whole: AsyncGenerator<Uint8Array, void, void>;
  /** Nobody will read it; its source may let go. */
  abandon(): Promise<void>;
}

/** Looks at the beginning of a stream without losing it. */
export const takeHead = async (content: AsyncIterable<Uint8Array>, bytes: number): Promise<Opened> => {
  const source = content[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  for (let length = 0; length < bytes; ) {
    const next = await source.next();
    if (next.done) break;
    taken.push(next.value);
    length += next.value.byteLength;
  }
  const readWhole = async function* (): AsyncGenerator<Uint8Array, void, void> {
    yield* taken;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  };
  return {
    head: Buffer.concat(taken).subarray(0, bytes),
    whole: readWhole(),
    abandon: async () => {
      await source.return?.();
    },
  };
};
