import { uploadFile } from '#contracts/agent/files.ts';
import { CallFailedError } from '#contracts/client.ts';
import type { ResponseOf } from '#contracts/operation.ts';

/** Uploads a file, which the typed client cannot do, and returns its URL. */
export const upload = async (file: File): Promise<string> => {
  const body = new FormData();
  body.append('file', file);
  const response = await fetch(uploadFile.path, { method: uploadFile.method, body });
  const answer: unknown = await response.json();
  if (!response.ok) throw new CallFailedError(uploadFile, response.status, answer);
  return (answer as ResponseOf<typeof uploadFile>).url;
};
