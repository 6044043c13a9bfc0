import sharp from 'sharp';
import { expect, it } from 'vitest';
import { PNG, pngOf } from '../../testing/builders/file-contents.ts';
import { prepareImage } from './images.ts';

const prepare = (bytes: Buffer) => prepareImage(async () => bytes);
const paint = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'rebeccapurple' } });

it.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)('creates thumbnails of %s', async (format) => {
  const image = await prepare(await paint(900, 450).toFormat(format).toBuffer());
  expect(image).toMatchObject({ width: 900, height: 450 });
  expect(await sharp(image!.thumbnail).metadata()).toMatchObject({ format: 'webp', width: 200, height: 100 });
  expect(await sharp(image!.thumbnail2x).metadata()).toMatchObject({ format: 'webp', width: 400, height: 200 });
});

it('applies the orientation and removes metadata', async () => {
  const held = await paint(900, 450)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'me' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const image = await prepare(held);
  expect(image).toMatchObject({ width: 450, height: 900 });
  const { width, height, exif, orientation } = await sharp(image!.thumbnail).metadata();
  expect({ width, height, exif, orientation }).toEqual({
    width: 100,
    height: 200,
    exif: undefined,
    orientation: undefined,
  });
});

it.each(['jpeg', 'png', 'webp'] as const)('returns a %s with metadata upright and without it', async (format) => {
  const photo = await paint(900, 450)
    .toFormat(format)
    .withExif({ IFD0: { Copyright: 'me' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 13/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect((await sharp(photo).metadata()).exif).toBeDefined();
  const { cleaned } = (await prepare(photo))!;
  const metadata = await sharp(cleaned).metadata();
  expect(metadata).toMatchObject({ format, width: 450, height: 900 });
  for (const name of ['exif', 'xmp', 'iptc', 'orientation']) expect(metadata).not.toHaveProperty(name);
  expect(await prepare(cleaned!)).not.toHaveProperty('cleaned');
});

it('does not enlarge small images', async () => {
  const image = await prepare(PNG);
  expect(await sharp(image!.thumbnail2x).metadata()).toMatchObject({ width: 8, height: 8 });
});

it.each([
  ['an image of 50,000 × 50,000 pixels', pngOf(50_000, 50_000, 10)],
  ['a truncated image', PNG.subarray(0, 44)],
  ['a truncated JPEG', (await paint(900, 600).jpeg().toBuffer()).subarray(0, 700)],
  ['a script after an image signature', Buffer.from('GIF89a=1;alert(1)')],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a TIFF', await paint(9, 9).tiff().toBuffer()],
  ['nothing', Buffer.alloc(0)],
])('rejects %s as an image', async (_, bytes) => {
  expect(await prepare(bytes)).toBeUndefined();
});

it('processes many images, a few at a time', async () => {
  let loading = 0;
  let maxLoading = 0;
  const bytes = await paint(300, 300).png().toBuffer();
  const one = () =>
    prepareImage(async () => {
      maxLoading = Math.max(maxLoading, ++loading);
      return bytes;
    }).finally(() => loading--);
  expect(await Promise.all(Array.from({ length: 12 }, one))).not.toContain(undefined);
  expect(maxLoading).toBeLessThanOrEqual(3);
});

it('reports a failed load and continues with the next image', async () => {
  await expect(prepareImage(() => Promise.reject(new Error('disk')))).rejects.toThrow('disk');
  expect(await prepare(PNG)).toBeDefined();
});
