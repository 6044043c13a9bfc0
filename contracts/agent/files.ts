import { UploadedFile, uploadDescription } from '../chat/files.ts';
import { defineOperation } from '../operation.ts';
import { agentQuery } from './query.ts';

export const uploadFile = defineOperation({
  name: 'upload_file',
  method: 'POST',
  path: '/v3.5/agent/action/upload_file',
  summary: 'Uploads a file of at most 10 MB',
  description: uploadDescription,
  query: agentQuery,
  upload: true,
  responses: { 200: UploadedFile },
});
