import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Actor, AgentActor, CustomerActor } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { type ContentStore, fileTooLarge, MAX_FILE_BYTES } from '../../files/content-store.ts';
import { cleanFileName } from '../../files/file-name.ts';
import { PICTURES, type PreparedImage, prepareImage } from '../../files/images.ts';
import { HEAD_BYTES, sniffFile } from '../../files/sniff.ts';
import type { OrganizationScope } from '../../scope.ts';
import { type Opened, peekStream } from './peek-stream.ts';
import { type FileRecord, removeContent, toFileRecord } from './records.ts';

export interface NewFile {
  /** As given by the sender; both are sanitized here. */
  name: string;
  declaredType: string;
  content: AsyncIterable<Uint8Array>;
}

const requireUploader = (actor: Actor): CustomerActor | AgentActor => {
  if (actor.kind !== 'customer' && actor.kind !== 'agent')
    throw new DomainError('forbidden', 'You do not have permission to upload files');
  return actor;
};

/** Enforces the size limit while the content streams to the store. */
const limitSize = async function* (
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > MAX_FILE_BYTES) throw fileTooLarge();
    yield chunk;
  }
};

const load = async (store: ContentStore, key: string): Promise<Buffer> => {
  const stored = await store.read(key);
  if (!stored) throw notFound('File');
  return buffer(stored.stream);
};

interface Draft {
  id: string;
  name: string;
  contentType: string;
  downloadOnly: boolean;
  storageKey: string;
  thumbnailKey: string | null;
  thumbnail2xKey: string | null;
}

const draftFile = async ({ organizationId }: OrganizationScope, file: NewFile, head: Uint8Array): Promise<Draft> => {
  if (head.length === 0) throw invalid('file', 'must not be empty');
  const name = cleanFileName(file.name);
  const kind = await sniffFile({ head, name, declaredType: file.declaredType });
  const id = randomBytes(16).toString('hex');
  const storageKey = `${organizationId}/${id.slice(0, 2)}/${id}`;
  const isPicture = PICTURES.has(kind.contentType);
  const [thumbnailKey, thumbnail2xKey] = isPicture
    ? [`${storageKey}-200.webp`, `${storageKey}-400.webp`]
    : [null, null];
  return { id, name, ...kind, storageKey, thumbnailKey, thumbnail2xKey };
};

const writeThumbnails = async (store: ContentStore, draft: Draft, image: PreparedImage): Promise<void> => {
  const limits = { maxBytes: MAX_FILE_BYTES };
  await store.write(draft.thumbnailKey!, Readable.from([image.thumbnail]), limits);
  await store.write(draft.thumbnail2xKey!, Readable.from([image.thumbnail2x]), limits);
};

/** Writes the content, then the metadata. */
const writeContent = async (scope: OrganizationScope, store: ContentStore, draft: Draft, whole: Opened['whole']) => {
  const limits = { maxBytes: MAX_FILE_BYTES };
  const { size } = await store.write(draft.storageKey, limitSize(whole), limits);
  const finish = scope.update('files').where('id', '=', draft.id).returningAll();
  if (!draft.thumbnailKey) return finish.set({ size }).executeTakeFirstOrThrow();
  const image = await prepareImage(() => load(store, draft.storageKey));
  if (!image) {
    // A file that cannot be decoded as the image it claims to be is not displayed as one.
    const plain = { contentType: 'application/octet-stream', thumbnailKey: null, thumbnail2xKey: null };
    return finish.set({ size, ...plain }).executeTakeFirstOrThrow();
  }
  await writeThumbnails(store, draft, image);
  const { width, height, cleaned } = image;
  const written = cleaned ? await store.write(draft.storageKey, limitSize([cleaned]), limits) : { size };
  return finish.set({ size: written.size, width, height }).executeTakeFirstOrThrow();
};

const discard = async (scope: OrganizationScope, store: ContentStore, draft: Draft): Promise<void> => {
  await removeContent(store, draft);
  await scope.remove('files').where('id', '=', draft.id).execute();
};

/** Stores an upload, which expires after a day unless an event uses it. */
export const storeUpload = async (
  scope: OrganizationScope,
  store: ContentStore,
  file: NewFile,
): Promise<FileRecord> => {
  const { kind: uploaderKind, id: uploaderId } = requireUploader(scope.actor);
  const { head, whole, abandon } = await peekStream(file.content, HEAD_BYTES);
  try {
    const draft = await draftFile(scope, file, head);
    await scope.insert('files', { ...draft, uploaderKind, uploaderId, createdAt: scope.now() }).execute();
    try {
      return toFileRecord(await writeContent(scope, store, draft, whole))!;
    } catch (error) {
      // Content that cannot be removed now expires like any unused upload.
      await discard(scope, store, draft).catch(() => undefined);
      throw error;
    }
  } finally {
    await abandon();
  }
};
