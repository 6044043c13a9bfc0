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

/** A small copy without metadata, of the first frame of an animation; undefined for anything but images. */
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
    // Broken, too large or too slow images count as missing.
    return undefined;
  }
};

/**
 * Checks the first bytes, because the library would also open SVG, which can refer to files and URLs, regardless of the
 * content type.
 */
const isPicture = (bytes: Buffer): boolean => {
  const start = bytes.toString('latin1', 0, 12);
  return (
    start.startsWith('\xff\xd8\xff') ||
    start.startsWith('\x89PNG\r\n\x1a\n') ||
    /^GIF8[79]a/.test(start) ||
    /^RIFF.{4}WEBP/s.test(start) ||
    // The zeros matter: otherwise `<!--ftypavif--><svg>` would pass.
    (start.startsWith('\0\0\0') && /^.{4}ftypavi[fs]/s.test(start))
  );
};
