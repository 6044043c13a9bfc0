import sharp from 'sharp';

const MAX_PIXELS = 25_000_000;
const MAX_SIDE = 400;
const MAX_SECONDS = 5;

export interface SmallImage {
  bytes: Buffer;
  width: number;
  height: number;
  contentType: string;
}

/** A small copy that says nothing about camera or place, the first frame of a moving one; undefined for what is no picture. */
export const shrinkImage = async (bytes: Buffer): Promise<SmallImage | undefined> => {
  if (!isPicture(bytes)) return undefined;
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height, contentType: 'image/webp' };
  } catch {
    // Broken, too large or too slow: all that can be said about it is that there is no picture.
    return undefined;
  }
};

/**
 * By the first bytes, for the library would open far more than pictures: SVG, which can name files and addresses,
 * whatever the type that a server claims.
 */
const isPicture = (bytes: Buffer): boolean => {
  const start = bytes.toString('latin1', 0, 12);
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    /^GIF8[79]a/.test(start) ||
    /^RIFF.{4}WEBP/s.test(start) ||
    // The zeros matter: with any bytes there, `<!--ftypavif--><svg>` would do.
    (start.startsWith('\0\0\0') && /^.{4}ftypavi[fs]/s.test(start))
  );
};
