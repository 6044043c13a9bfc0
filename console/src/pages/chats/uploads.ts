import { useMemo } from 'react';
import { uploadFile } from '#contracts/agent/files.ts';
import { createStore } from '../../design/store.ts';
import { sendToChat } from '../../realtime/chats/sending.ts';
import { t } from './t.ts';

export interface Upload {
  id: number;
  chatId: string;
  name: string;
  /** Progress from 0 to 1. */
  done: number;
  failure?: string;
  cancel(): void;
  retry(): void;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

const uploads = createStore<Upload[]>([]);
let last = 0;

const patch = (id: number, change: Partial<Upload>): void =>
  uploads.set(uploads.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));

const remove = (id: number): void => uploads.set(uploads.get().filter((upload) => upload.id !== id));

const explain = ({ status, responseText }: XMLHttpRequest): string => {
  if (status === 0) return t('noConnection');
  try {
    return String(JSON.parse(responseText).error.message);
  } catch {
    return t('theServerRespondedWithStatus', { status });
  }
};

/** `fetch` does not report upload progress. */
const send = (id: number, chatId: string, file: File): (() => void) => {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append('file', file);
  request.open(uploadFile.method, uploadFile.path);
  request.upload.onprogress = ({ loaded, total }) => patch(id, { done: total > 0 ? loaded / total : 0 });
  request.onload = () => {
    if (request.status !== 200) return patch(id, { failure: explain(request) });
    remove(id);
    sendToChat(chatId, { type: 'file', url: String(JSON.parse(request.responseText).url) });
  };
  request.onerror = () => patch(id, { failure: explain(request) });
  request.send(form);
  return () => request.abort();
};

const begin = (chatId: string, file: File): void => {
  const id = ++last;
  let abort = (): void => {};
  const start = (): void => {
    patch(id, { done: 0, failure: undefined });
    abort = send(id, chatId, file);
  };
  const cancel = (): void => {
    abort();
    remove(id);
  };
  uploads.set([...uploads.get(), { id, chatId, name: file.name, done: 0, cancel, retry: start }]);
  if (file.size > MAX_FILE_BYTES) patch(id, { failure: t('maxFileSize'), retry: cancel });
  else start();
};

export const uploadAll = (chatId: string, files: Iterable<File>): void => {
  for (const file of files) begin(chatId, file);
};

export const useUploads = (chatId: string): Upload[] => {
  const all = uploads.use();
  return useMemo(() => all.filter((upload) => upload.chatId === chatId), [all, chatId]);
};
