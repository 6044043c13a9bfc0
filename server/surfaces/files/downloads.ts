import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contracts/files/index.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import { isUuid } from '#server/domain/ids.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { findFile } from '#server/domain/support/files/find-file.ts';
import type { FileRecord } from '#server/domain/support/files/records.ts';
import { type Route, route } from '#server/http/route.ts';
import { sendFile } from '#server/http/send-file.ts';

const FOR_EVER_SECONDS = 31_536_000;
/** Files that can expire are cached only briefly beyond their end. */
const A_MOMENT_SECONDS = 300;

const maxAgeOf = ({ usedAt }: FileRecord): number => (usedAt ? FOR_EVER_SECONDS : A_MOMENT_SECONDS);

/** The unguessable id is the permission. */
const getFile = async (
  { services }: Context,
  { organization_id, file_id }: { organization_id: string; file_id: string },
): Promise<FileRecord> => {
  if (!isUuid(organization_id)) throw notFound('File');
  const scope = openOrganizationScope(services, { kind: 'visitor' }, organization_id);
  const file = await findFile(scope, file_id);
  if (!file) throw notFound('File');
  return file;
};

const sendThumbnail = async (
  { ports: { files } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, key, tag }: { file: FileRecord; key: string; tag: string },
): Promise<FastifyReply> => {
  const stored = await files.read(key);
  if (!stored) throw notFound('File');
  const { size, stream } = stored;
  const whole = { name: 'picture.webp', contentType: 'image/webp', downloadOnly: false, size, tag };
  try {
    return await sendFile(request, reply, {
      ...whole,
      maxAgeSeconds: maxAgeOf(file),
      read: async (range) => (range ? files.read(key, range) : { stream }),
    });
  } finally {
    // HEAD, range and conditional requests leave it unread.
    stream.destroy();
  }
};

export const downloadRoutes = (ctx: Context): Route<undefined>[] => [
  route<undefined>()(contract.getFile, async ({ params, request, reply }) => {
    const file = await getFile(ctx, params);
    const { name, contentType, size, downloadOnly, id: tag, storageKey } = file;
    await sendFile(request, reply, {
      ...{ name, contentType, size, downloadOnly, tag },
      maxAgeSeconds: maxAgeOf(file),
      read: (range) => ctx.ports.files.read(storageKey, range),
    });
  }),
  route<undefined>()(contract.getThumbnail, async ({ params, request, reply }) => {
    const file = await getFile(ctx, params);
    if (!file.image) throw notFound('File');
    const [key, width] =
      params.size === 'thumbnail' ? [file.image.thumbnailKey, 200] : [file.image.thumbnail2xKey, 400];
    await sendThumbnail(ctx, request, reply, { file, key, tag: `${file.id}-${width}` });
  }),
];
