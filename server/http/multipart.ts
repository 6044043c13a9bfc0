import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { fileTooLarge } from '#server/domain/files/content-store.ts';

export interface Upload {
  /** As the sender says, and not to be trusted further than that. */
  fileName: string;
  declaredType: string;
  /** Ends only when the whole body was found right; fails otherwise. Must be read or destroyed. */
  content: Readable;
}

/** What may surround the file: boundaries, headers, a few fields. */
const MAX_SURROUNDING_BYTES = 64 * 1024;
const MAX_NAME_LENGTH = 1024;
const PARSER_LIMITS = { files: 1, fields: 20, parts: 21, fieldSize: 4096, headerPairs: 20, headerSize: 8192 };
const BOUNDARY = /;\s*boundary=(?:"[^"]+"|[^\s";]+)/i;

const malformed = (cause?: unknown): DomainError =>
  new DomainError('validation', 'The body is not well-formed multipart/form-data', {}, { cause });
const brokenOff = (): DomainError => new DomainError('validation', 'The upload broke off');

/** Lets multipart bodies pass unread where uploads are taken; elsewhere they are refused like any other type. */
export const acceptUploads = (app: FastifyInstance, takesUpload: (request: FastifyRequest) => boolean): void => {
  app.addContentTypeParser('multipart/form-data', (request, _, done) => {
    if (takesUpload(request)) done(null, {});
    else done(new DomainError('validation', 'This Content-Type is not accepted'));
  });
};

/** The same for a picture that is the body itself. */
export const acceptPictures = (app: FastifyInstance, takesPicture: (request: FastifyRequest) => boolean): void => {
  app.addContentTypeParser(/^(image\/|application\/octet-stream)/, (request, _, done) => {
    if (takesPicture(request)) done(null, {});
    else done(new DomainError('validation', 'This Content-Type is not accepted'));
  });
};

const openParser = ({ headers }: FastifyRequest): BusboyInstance => {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new DomainError('validation', 'The Content-Type must be multipart/form-data');
  if (!BOUNDARY.test(type)) throw new DomainError('validation', 'The Content-Type names no boundary');
  try {
    return new Busboy({ headers: headers as BusboyHeaders, preservePath: true, limits: PARSER_LIMITS });
  } catch (error) {
    throw malformed(error);
  }
};

/** Hands the body to the parser. Never destroys the request: whoever sent it still has to read our answer. */
const pump = async (body: Readable, parser: BusboyInstance, maxBytes: number): Promise<void> => {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw fileTooLarge();
    if (!parser.write(chunk)) await once(parser, 'drain');
  }
  await new Promise<void>((resolve) => parser.end(resolve));
};

/** Passes the file on at the reader's pace. Data that nobody wants any more flows away, so that the body can end. */
const openContent = (file: BusboyFileStream): Readable => {
  const content = new Readable({
    read: () => void file.resume(),
    destroy: (error, done) => {
      file.resume();
      done(error);
    },
  });
  file.on('data', (chunk) => {
    if (!content.destroyed && !content.push(chunk)) file.pause();
  });
  // The failure waits for whoever reads; until then it must not end the process.
  content.on('error', () => {});
  file.on('error', () => {});
  return content;
};

/**
 * Streams the one file of a multipart body. What is wrong behind it (a second file, a missing end, a client that went away)
 * fails the content instead of ending it, so a half-right body never leaves a whole file.
 */
export const readUpload = async (request: FastifyRequest, limits: { maxBytes: number }): Promise<Upload> => {
  const maxBytes = limits.maxBytes + MAX_SURROUNDING_BYTES;
  if (Number(request.headers['content-length']) > maxBytes) throw fileTooLarge();
  const parser = openParser(request);
  const body: Readable = request.raw;

  return new Promise((resolve, reject) => {
    let content: Readable | undefined;
    let passedOn: Promise<unknown> = Promise.resolve();
    let settled = false;
    const fail = (error: DomainError): void => {
      if (settled) return;
      settled = true;
      reject(error);
      content?.destroy(error);
      // The rest is read and dropped: a sender that cannot send on never looks for the answer.
      body.resume();
    };
    parser.on('file', (_, file, fileName = '', __, declaredType) => {
      content = openContent(file);
      passedOn = new Promise((done) => file.once('end', done));
      if (fileName.length > MAX_NAME_LENGTH) fail(invalid('file', 'has a name that is too long'));
      else resolve({ fileName, declaredType, content });
    });
    parser.on('filesLimit', () => fail(invalid('file', 'must be one file')));
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) parser.on(limit, () => fail(malformed()));
    parser.on('error', (error) => fail(malformed(error)));
    parser.on('finish', () => {
      if (!content) fail(invalid('file', 'is required'));
      else if (!settled) content.push(null);
      settled = true;
    });
    body.once('close', () => {
      if (!body.readableEnded) fail(brokenOff());
    });
    // The parser waits for ever for the end of a part that had no header; when all is passed on, it has nothing to wait for.
    pump(body, parser, maxBytes)
      .then(() => passedOn)
      .then(() => setImmediate())
      .then(() => fail(malformed()))
      .catch((error) => fail(error instanceof DomainError ? error : body.destroyed ? brokenOff() : malformed(error)));
  });
};
