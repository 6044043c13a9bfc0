import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { requirePartner } from '../../access.ts';
import { invalid } from '../../errors.ts';
import { type ContentStore, fileTooLarge } from '../../files/content-store.ts';
import { measurePicture } from '../../files/images.ts';
import { sniffFile } from '../../files/sniff.ts';
import type { Installation, PartnerScope } from '../../scope.ts';

export const MAX_LOGO_BYTES = 5 * 1024 * 1024;
const MIN_PIXELS = 350;
const MAX_PIXELS = 1000;
const EXTENSIONS: Record<string, string> = { 'image/jpeg': 'jpg', 'image/png': 'png' };

const isAllowedSize = (pixels: number): boolean => pixels >= MIN_PIXELS && pixels <= MAX_PIXELS;

const readWhole = async (content: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_LOGO_BYTES) throw fileTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Decides by the content, not by the name or the declared type. */
const detectType = async (bytes: Buffer): Promise<string> => {
  const { contentType } = await sniffFile({ head: bytes, name: 'logo', declaredType: '' });
  const extension = EXTENSIONS[contentType];
  if (!extension) throw invalid('file', 'must be a JPEG or PNG image');
  const size = await measurePicture(bytes);
  if (!size) throw invalid('file', 'must be a readable image');
  if (!isAllowedSize(size.width) || !isAllowedSize(size.height))
    throw invalid('file', `must be ${MIN_PIXELS} × ${MIN_PIXELS} to ${MAX_PIXELS} × ${MAX_PIXELS} pixels`);
  return extension;
};

/** Replaces the logo. Every upload gets a new key, so that no cache serves an old logo. */
export const saveLogo = async (
  scope: PartnerScope,
  store: ContentStore,
  content: AsyncIterable<Uint8Array>,
): Promise<{ logoKey: string }> => {
  requirePartner(scope.actor);
  const bytes = await readWhole(content);
  const extension = await detectType(bytes);
  const logoKey = `experts/${scope.partnerId}/${randomBytes(16).toString('hex')}.${extension}`;
  await store.write(logoKey, Readable.from([bytes]), { maxBytes: MAX_LOGO_BYTES });
  const earlier = await scope.transaction(async (tx) => {
    const before = await tx.from('experts').select('logoKey').forUpdate().executeTakeFirst();
    const now = tx.now();
    await tx
      .insert('experts', { logoKey, createdAt: now, updatedAt: now })
      .onConflict((conflict) => conflict.column('partnerId').doUpdateSet({ logoKey, updatedAt: now }))
      .execute();
    return before?.logoKey;
  });
  if (earlier) await store.remove(earlier);
  return { logoKey };
};

/** The public path of a logo. */
export const logoPathOf = (logoKey: string): string => `/${logoKey.replace(/^experts\//, 'expert-logos/')}`;

export const logoUrlOf = ({ publicUrl }: Pick<Installation, 'publicUrl'>, logoKey: string): string =>
  publicUrl() + logoPathOf(logoKey);
