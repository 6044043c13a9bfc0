/** Encodes the control bytes of the MaxMind DB format: a binary tree of address bits whose leaves point into a data section. */
const control = (type: number, size: number): Buffer => {
  const head = type > 7 ? [Math.min(size, 29), type - 7] : [(type << 5) | Math.min(size, 29)];
  return Buffer.from(size < 29 ? head : [...head, size - 29]);
};

const encode = (value: unknown): Buffer => {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  if (typeof value === 'number' && Number.isInteger(value)) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(3, 8), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([control(7, entries.length), ...entries.flatMap(([key, one]) => [encode(key), encode(one)])]);
};

/** Writes a MaxMind database that locates a single IPv4 address. */
export const writeGeoDatabase = (ip: string, place: object): Buffer => {
  const bits = ip.split('.').flatMap((byte) => [...Number(byte).toString(2).padStart(8, '0')].map(Number));
  const nodes = bits.length;
  const notFound = nodes;
  const data = nodes + 16;
  const tree = Buffer.alloc(nodes * 6);
  for (const [at, bit] of bits.entries()) {
    const next = at + 1 === nodes ? data : at + 1;
    tree.writeUIntBE(bit === 0 ? next : notFound, at * 6, 3);
    tree.writeUIntBE(bit === 1 ? next : notFound, at * 6 + 3, 3);
  }
  const metadata = {
    ...{ node_count: nodes, record_size: 24, ip_version: 4, database_type: 'Test-City', languages: ['en'] },
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: 1_790_000_000 },
    description: { en: 'Places for tests' },
  };
  const metadataMarker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
  return Buffer.concat([tree, Buffer.alloc(16), encode(place), metadataMarker, encode(metadata)]);
};
