import { availableParallelism } from 'node:os';

/** What can be shown small. Others are files like any other. */
export const PICTURES: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

const THUMBNAIL_PIXELS = 200;
const QUALITY = 80;
/** Beyond any photo that fits an upload; what claims more is made to exhaust whoever opens it. */
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 10;

export interface PreparedImage {
  width: number;
  height: number;
  thumbnail: Buffer;
  thumbnail2x: Buffer;
}

type Sharp = typeof import('sharp').default;

/** Readers of anything else stay shut: what is called a PNG cannot reach the reader of SVG. */
const READERS = ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`);

let opened: Promise<Sharp> | undefined;
const openSharp = (): Promise<Sharp> => {
  opened ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: READERS });
    return sharp;
  });
  return opened;
};

// Pictures may have half of the machine, and never more than half of the four threads that also read and write files.
let free = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const waiting: (() => void)[] = [];

const inTurn = async <R>(work: () => Promise<R>): Promise<R> => {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
};

/** The size as it is seen, after turning it the way its camera was held. */
const describeImage = async (sharp: Sharp, bytes: Buffer): Promise<{ width: number; height: number }> => {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  return { width: autoOrient.width, height: autoOrient.height };
};

/** Upright, one frame, and without what a camera writes into a picture. */
const makeThumbnail = (sharp: Sharp, bytes: Buffer, pixels: number): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer();

/** Undefined for what is no picture after all: broken, cut off, or far too large once unpacked. */
export const prepareImage = (load: () => Promise<Buffer>): Promise<PreparedImage | undefined> =>
  inTurn(async () => {
    // Loaded only when it is its turn, so that memory is bounded too.
    const [sharp, bytes] = await Promise.all([openSharp(), load()]);
    try {
      const size = await describeImage(sharp, bytes);
      const thumbnail2x = await makeThumbnail(sharp, bytes, 2 * THUMBNAIL_PIXELS);
      return { ...size, thumbnail2x, thumbnail: await makeThumbnail(sharp, thumbnail2x, THUMBNAIL_PIXELS) };
    } catch {
      return undefined;
    }
  });

/** How large a picture is, once it was opened to its end; undefined for what cannot be. */
export const measurePicture = (bytes: Buffer): Promise<{ width: number; height: number } | undefined> =>
  inTurn(async () => {
    const sharp = await openSharp();
    try {
      const size = await describeImage(sharp, bytes);
      await makeThumbnail(sharp, bytes, THUMBNAIL_PIXELS);
      return size;
    } catch {
      return undefined;
    }
  });
