import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalid } from '#server/domain/errors.ts';
import { fileTooLarge } from '#server/domain/files/content-store.ts';

export interface Upload {
  /** As sent by the client; not trustworthy. */
  fileName: string;
  declaredType: string;
  /** Ends only if the whole body is valid, and fails otherwise. Must be read or destroyed. */
  content: Readable;
}

/** Boundaries, headers and a few fields around the file. */
const MAX_SURROUNDING_BYTES = 64 * 1024;
const MAX_NAME_LENGTH = 1024;
const PARSER_LIMITS = { files: 1, fields: 20, parts: 21, fieldSize: 4096, headerPairs: 20, headerSize: 8192 };
const BOUNDARY = /;\s*boundary=(?:"[^"]+"|[^\s";]+)/i;

const malformed = (cause?: unknown): DomainError =>
  new DomainError('validation', 'The body is not well-formed multipart/form-data', {}, { cause });
const brokenOff = (): DomainError => new DomainError('validation', 'The upload was interrupted');

/**
 * Accepts multipart bodies without parsing them on surfaces with uploads; other surfaces reject them like any other
 * type.
 */
export const acceptUploads = (app: FastifyInstance, takesUpload: (request: FastifyRequest) => boolean): void => {
  app.addContentTypeParser('multipart/form-data', (request, _, done) => {
    if (takesUpload(request)) done(null, {});
    else done(new DomainError('validation', 'This Content-Type is not accepted'));
  });
};

/** Accepts an image as the whole body. */
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
  if (!BOUNDARY.test(type)) throw new DomainError('validation', 'The Content-Type must include a boundary');
  try {
    return new Busboy({ headers: headers as BusboyHeaders, preservePath: true, limits: PARSER_LIMITS });
  } catch (error) {
    throw malformed(error);
  }
};

/** Passes the body to the parser. Never destroys the request, because the client still has to read the response. */
const feedParser = async (body: Readable, parser: BusboyInstance, maxBytes: number): Promise<void> => {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw fileTooLarge();
    if (!parser.write(chunk)) await once(parser, 'drain');
  }
  await new Promise<void>((resolve) => parser.end(resolve));
};

/** Passes the file on at the reader's pace. If the reader stops, the rest is discarded so that the body can end. */
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
  // The error waits for the reader and must not crash the process meanwhile.
  content.on('error', () => {});
  file.on('error', () => {});
  return content;
};

/**
 * Streams the single file of a multipart body. An error after the file (a second file, a missing end, a disconnected
 * client) fails the stream instead of ending it, so that an invalid body never produces a complete file.
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
      // The rest is read and discarded: a client reads the response only after it has sent everything.
      body.resume();
    };
    parser.on('file', (_, file, fileName = '', __, declaredType) => {
      content = openContent(file);
      passedOn = new Promise((done) => file.once('end', done));
      if (fileName.length > MAX_NAME_LENGTH)
        fail(invalid('file', `must have a name of up to ${MAX_NAME_LENGTH} characters`));
      else resolve({ fileName, declaredType, content });
    });
    parser.on('filesLimit', () => fail(invalid('file', 'must be a single file')));
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
    // The parser never finishes a part without a header, so the end of the input decides.
    feedParser(body, parser, maxBytes)
      .then(() => passedOn)
      .then(() => setImmediate())
      .then(() => fail(malformed()))
      .catch((error) => fail(error instanceof DomainError ? error : body.destroyed ? brokenOff() : malformed(error)));
  });
};
