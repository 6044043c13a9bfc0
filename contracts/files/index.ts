import { Type } from 'typebox';
import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import { defineOperation, type SurfaceContract } from '../operation.ts';
import { oneOf } from '../values.ts';

const file = {
  organization_id: Type.String(),
  file_id: Type.String(),
};

const shared = {
  method: 'GET',
  public: true,
  download: true,
  responses: { 200: null, 206: null, 304: null, 416: null },
} as const;

export const getFile = defineOperation({
  ...shared,
  name: 'get_file',
  path: '/files/:organization_id/:file_id/:name',
  summary: 'Returns an uploaded file',
  description:
    'Anyone who knows the URL can read the file. Range and conditional requests are supported. Active content is served as a download.',
  params: Type.Object({
    ...file,
    name: Type.String({ description: 'Any name; used only as the file name of downloads' }),
  }),
});

export const getThumbnail = defineOperation({
  ...shared,
  name: 'get_thumbnail',
  path: '/files/:organization_id/:file_id/:size/picture.webp',
  summary: 'Returns a thumbnail of an uploaded image',
  params: Type.Object({ ...file, size: oneOf('thumbnail', 'thumbnail2x') }),
});

export const filesContract: SurfaceContract = {
  name: 'files',
  title: 'Files',
  version: '1',
  description: 'Uploaded files, at the URLs used in events.',
  operations: [getFile, getThumbnail],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {},
};
