import type { InjectOptions } from 'fastify';

export interface UploadedPart {
  content: Buffer | string;
  name?: string;
  type?: string;
}

/** The multipart body of an upload and its Content-Type header, as a browser would send them. */
export const formOf = async ({
  content,
  name = 'note.txt',
  type = 'text/plain',
}: UploadedPart): Promise<Required<Pick<InjectOptions, 'headers' | 'payload'>>> => {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(Buffer.from(content))], name, { type }));
  const body = new Response(form);
  return {
    headers: { 'content-type': body.headers.get('content-type')! },
    payload: Buffer.from(await body.arrayBuffer()),
  };
};
