import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '#server/domain/errors.ts';
import { type ContentStore, MAX_FILE_BYTES } from '#server/domain/files/content-store.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { filePath } from '#server/domain/support/files/address.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { acceptPictures, acceptUploads, readUpload } from '#server/http/multipart.ts';

/** Accepts multipart forms for operations with a file. */
export const acceptUploadForms = (app: FastifyInstance): void =>
  acceptUploads(app, ({ routeOptions }) => routeOptions.config.operation?.upload === true);

/** Accepts an image as the body for these operations. */
export const acceptImageBodies = (app: FastifyInstance): void =>
  acceptPictures(app, ({ routeOptions }) => routeOptions.config.operation?.upload === true);

/** Streams the uploaded file into the file store. */
export const uploadFile = async (
  store: ContentStore,
  { request, scope }: { request: FastifyRequest; scope: OrganizationScope },
): Promise<{ url: string }> => {
  const { fileName: name, ...file } = await readUpload(request, { maxBytes: MAX_FILE_BYTES });
  return {
    url: scope.services.installation.publicUrl() + filePath(await storeUpload(scope, store, { name, ...file })),
  };
};

/** The operation is not available over a socket. */
export const rejectUpload = (): never => {
  throw new DomainError('validation', 'Files must be uploaded over HTTP: send the form to `upload_file`');
};
