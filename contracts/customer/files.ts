import { UploadedFile, uploadDescription } from '../chat/files.ts';
import { customerAction } from './operation.ts';

export const uploadFile = customerAction({
  name: 'upload_file',
  summary: 'Uploads a file of at most 10 MB',
  description: uploadDescription,
  upload: true,
  responses: { 200: UploadedFile },
  errors: [507],
});
