import type { ChatContext } from './chat-context.ts';
import type { MessageSender } from './message-sender.ts';
import { newId } from './outbox.ts';
import type { Upload } from './state.ts';

export const MAX_FILE_MEGABYTES = 10;

/** Uses XMLHttpRequest because `fetch` does not report upload progress. */
const post = (url: string, token: string, file: File, onProgress: (part: number) => void) =>
  new Promise<{ status: number; url?: string }>((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name);
    xhr.open('POST', url);
    xhr.responseType = 'json';
    xhr.setRequestHeader('authorization', `Bearer ${token}`);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    xhr.onload = () => resolve({ status: xhr.status, url: xhr.response?.url });
    xhr.onerror = reject;
    xhr.send(form);
  });

const uploadErrorOf = (status: number): Upload['error'] => {
  if (status === 413) return 'File_too_large';
  return status === 400 ? 'File_type_not_allowed' : 'Upload_failed';
};

export const createUploads = ({ core, store }: ChatContext, sender: MessageSender) => {
  const { base, organizationId } = core.options;
  const url = `${base}v3.5/customer/action/upload_file?organization_id=${organizationId}`;
  const change = (id: string, more: Partial<Upload>): void =>
    store.set({ uploads: store.get().uploads.map((upload) => (upload.id === id ? { ...upload, ...more } : upload)) });
  const drop = (id: string): void => store.set({ uploads: store.get().uploads.filter((upload) => upload.id !== id) });

  const run = async ({ id, file }: Upload): Promise<void> => {
    change(id, { error: undefined, progress: 0 });
    try {
      const token = await core.connection.getToken();
      const answer = await post(url, token, file, (progress) => change(id, { progress }));
      if (!answer.url) return change(id, { error: uploadErrorOf(answer.status) });
      sender.send({ type: 'file', url: answer.url });
      drop(id);
    } catch {
      change(id, { error: 'Upload_failed' });
    }
  };

  return {
    drop,
    retry: (upload: Upload): void => void run(upload),
    add: (files: Iterable<File>): void => {
      for (const file of files) {
        const tooLarge = file.size > MAX_FILE_MEGABYTES * 1024 * 1024;
        const upload: Upload = { id: newId(), file, progress: 0, ...(tooLarge ? { error: 'File_too_large' } : {}) };
        store.set({ uploads: [...store.get().uploads, upload] });
        if (!tooLarge) void run(upload);
      }
    },
  };
};
