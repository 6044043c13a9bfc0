import { UploadedFile, uploadDescription } from '../chat/files.ts';
import { agentAction } from './operation.ts';

export const uploadFile = agentAction({
  name: 'upload_file',
  scopes: ['archives_write'],
  summary: 'Uploads a file of at most 10 MB',
  description: uploadDescription,
  upload: true,
  responses: { 200: UploadedFile },
  errors: [507],
});
