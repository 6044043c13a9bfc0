import { availableParallelism } from 'node:os';

/** Types with thumbnails. Others are plain files. */
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
/** For whole images that are encoded again. */
const CLEANED_QUALITY = 90;
/** More than any photo within the upload limit; larger ones are likely decompression bombs. */
const MAX_PIXELS = 50_000_000;
const MAX_SECONDS = 10;

export interface PreparedImage {
  width: number;
  height: number;
  thumbnail: Buffer;
  thumbnail2x: Buffer;
  /** The image without metadata; absent if it had none. */
  cleaned?: Buffer;
}

type Sharp = typeof import('sharp').default;

/** Other decoders stay disabled, so that a file named PNG cannot reach the SVG decoder. */
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

// Image processing may use half of the cores, and at most two of the four libuv threads, which also read and write files.
let free = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
const waiting: (() => void)[] = [];

const withSlot = async <R>(work: () => Promise<R>): Promise<R> => {
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

interface ImageDescription {
  /** The displayed size, after applying the orientation. */
  size: { width: number; height: number };
  /** The format to encode it in without metadata; absent if there is none to remove. */
  cleanAs: 'jpeg' | 'png' | 'webp' | undefined;
}

const describeImage = async (sharp: Sharp, bytes: Buffer): Promise<ImageDescription> => {
  const {
    autoOrient,
    format,
    pages = 1,
    ...metadata
  } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
  const hasMetadata = Boolean(metadata.exif ?? metadata.xmp ?? metadata.iptc);
  const canClean = pages === 1 && (format === 'jpeg' || format === 'png' || format === 'webp');
  return {
    size: { width: autoOrient.width, height: autoOrient.height },
    cleanAs: hasMetadata && canClean ? format : undefined,
  };
};

/** Photos tell where and when they were taken, which customers do not expect to send. */
const removeMetadata = (sharp: Sharp, bytes: Buffer, format: 'jpeg' | 'png' | 'webp'): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    // With a quality, a PNG would lose colors.
    .toFormat(format, format === 'png' ? {} : { quality: CLEANED_QUALITY })
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer();

/** Upright, one frame, and without metadata. */
const makeThumbnail = (sharp: Sharp, bytes: Buffer, pixels: number): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize(pixels, pixels, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: MAX_SECONDS })
    .toBuffer();

/** Undefined if the content is not a valid image, incomplete, or far too large when decoded. */
export const prepareImage = (load: () => Promise<Buffer>): Promise<PreparedImage | undefined> =>
  withSlot(async () => {
    // Loaded only when it is processed, to bound memory.
    const [sharp, bytes] = await Promise.all([openSharp(), load()]);
    try {
      const { size, cleanAs } = await describeImage(sharp, bytes);
      const thumbnail2x = await makeThumbnail(sharp, bytes, 2 * THUMBNAIL_PIXELS);
      const thumbnail = await makeThumbnail(sharp, thumbnail2x, THUMBNAIL_PIXELS);
      const cleaned = cleanAs && { cleaned: await removeMetadata(sharp, bytes, cleanAs) };
      return { ...size, thumbnail, thumbnail2x, ...cleaned };
    } catch {
      return undefined;
    }
  });

/** The size of an image after decoding it completely; undefined if that fails. */
export const measurePicture = (bytes: Buffer): Promise<{ width: number; height: number } | undefined> =>
  withSlot(async () => {
    const sharp = await openSharp();
    try {
      const { size } = await describeImage(sharp, bytes);
      await makeThumbnail(sharp, bytes, THUMBNAIL_PIXELS);
      return size;
    } catch {
      return undefined;
    }
  });
