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
  summary: 'An uploaded file',
  description:
    'Whoever knows the address may read it. Ranges and conditional requests work. What could run in a browser is a download.',
  params: Type.Object({ ...file, name: Type.String({ description: 'Any: it is there for people' }) }),
});

export const getThumbnail = defineOperation({
  ...shared,
  name: 'get_thumbnail',
  path: '/files/:organization_id/:file_id/:size/picture.webp',
  summary: 'A small copy of an uploaded picture',
  params: Type.Object({ ...file, size: oneOf('thumbnail', 'thumbnail2x') }),
});

export const filesContract: SurfaceContract = {
  name: 'files',
  title: 'Files',
  version: '1',
  description: 'What was uploaded, at the addresses that events name.',
  operations: [getFile, getThumbnail],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {},
};
