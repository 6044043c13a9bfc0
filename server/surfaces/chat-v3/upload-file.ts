import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';
import { type ContentStore, MAX_FILE_BYTES } from '#server/domain/files/content-store.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { filePath } from '#server/domain/support/files/address.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { acceptPictures, acceptUploads, readUpload } from '#server/http/multipart.ts';

/** Lets forms pass to the operations that take a file. */
export const takeUploads = (app: FastifyInstance): void =>
  acceptUploads(app, ({ routeOptions }) => routeOptions.config.operation?.upload === true);

/** Lets a picture that is the body itself pass to them too. */
export const takePictures = (app: FastifyInstance): void =>
  acceptPictures(app, ({ routeOptions }) => routeOptions.config.operation?.upload === true);

/** Streams the file of a request into the store. */
export const uploadFile = async (
  store: ContentStore,
  { request, scope }: { request: FastifyRequest; scope: OrganizationScope },
): Promise<{ url: string }> => {
  const { fileName: name, ...file } = await readUpload(request, { maxBytes: MAX_FILE_BYTES });
  return { url: scope.services.publicUrl() + filePath(await storeUpload(scope, store, { name, ...file })) };
};

/** What the same operation is over a socket. */
export const refuseUpload = (): never => {
  throw new DomainError('validation', 'Files are uploaded over HTTP: send the form to `upload_file` there');
};
