export interface Opened {
  head: Uint8Array;
  /** The whole content, including the head. */
  whole: AsyncGenerator<Uint8Array, void, void>;
  /** Releases the source without reading it. */
  abandon(): Promise<void>;
}

/** Reads the beginning of a stream without consuming it. */
export const peekStream = async (content: AsyncIterable<Uint8Array>, bytes: number): Promise<Opened> => {
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
