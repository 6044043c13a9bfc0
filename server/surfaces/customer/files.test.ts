import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '#server/domain/files/content-store.ts';
import {
  buildCustomer,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { pngOf } from '#server/testing/builders/file-contents.ts';
import { formOf, type UploadedPart } from '#server/testing/builders/upload.ts';
import { type CallCustomer, callAs, errorResponse, message } from '#server/testing/http/call-customer.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

const DAY = 24 * 3600 * 1000;

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;
let chat_id: string;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  ({ chat_id } = (await call('start_chat')).body);
});

const upload = async (part: UploadedPart, by = customer, { id } = organization) => {
  const { headers, payload } = await formOf(part);
  const response = await test.app.inject({
    method: 'POST',
    url: `/v3.5/customer/action/upload_file?organization_id=${id}`,
    headers: { ...headers, authorization: `Bearer ${by.token}` },
    payload,
  });
  return { status: response.statusCode, body: response.json() };
};
const uploadUrl = async (part: UploadedPart = { content: 'hello' }, ...by: [TestCustomer?, TestOrganization?]) =>
  (await upload(part, ...by)).body.url as string;
const send = (event: object, input: object = {}) => call('send_event', { chat_id, event, ...input });
const file = (url: string, extra: object = {}) => ({ type: 'file', url, ...extra });
const download = (url: string) => test.app.inject({ url: new URL(url).pathname });
const events = async () => (await call('get_chat', { chat_id })).body.thread.events;
const refused = errorResponse(400, 'validation');
const countFiles = async () => (await organization.scope.from('files').select('id').execute()).length;

describe('upload_file', () => {
  it('returns the URL of the file', async () => {
    const { status, body } = await upload({ content: 'hello', name: 'a b.txt' });
    expect(status).toBe(200);
    expect(body).toEqual({
      url: expect.stringMatching(new RegExp(`^http://parley.test/files/${organization.id}/[0-9a-f]{32}/a%20b.txt$`)),
    });
    expect((await download(body.url)).body).toBe('hello');
  });

  it('accepts at most 10 MB', async () => {
    expect((await upload({ content: Buffer.alloc(MAX_FILE_BYTES, 'x') })).status).toBe(200);
    const before = await countFiles();
    const answer = await upload({ content: Buffer.alloc(MAX_FILE_BYTES + 1, 'x') });
    expect(answer).toMatchObject(errorResponse(413, 'entity_too_large'));
    expect(answer.body.error.message).toBe('Upload limit exceeded (10MB).');
    expect(await countFiles()).toBe(before);
  });

  it.each<[string, UploadedPart]>([
    ['a program by its name', { content: 'hello', name: 'a.exe' }],
    ['a program by its content', { content: 'MZ\u0090\0\u0003\0\0\0', name: 'photo.png', type: 'image/png' }],
    ['a script', { content: '#!/bin/sh\nrm -rf /', name: 'photo.png', type: 'image/png' }],
    ['nothing', { content: '' }],
  ])('rejects %s', async (_, part) => {
    const before = await countFiles();
    expect(await upload(part)).toMatchObject(refused);
    expect(await countFiles()).toBe(before);
  });

  it('accepts only a form', async () => {
    expect(await call('upload_file', { file: 'x' })).toMatchObject(refused);
    expect(await call('upload_file')).toMatchObject(refused);
  });

  it('is rejected over a socket with a hint', async () => {
    const client = await test.logIn(organization, customer);
    expect(await client.request('upload_file', {})).toMatchObject({
      success: false,
      payload: { error: { type: 'validation', message: expect.stringContaining('HTTP') } },
    });
    await client.close();
  });

  it('requires a token', async () => {
    expect(await upload({ content: 'x' }, { id: customer.id, token: 'dal:wrong' })).toMatchObject(
      errorResponse(401, 'authentication'),
    );
  });
});

describe('a file event', () => {
  it('contains the metadata stored by the server, not that sent by the author', async () => {
    const url = await uploadUrl({ content: pngOf(800, 400), name: 'photo.png', type: 'image/png' });
    const lies = { name: 'x.exe', content_type: 'text/html', size: 1, width: 1, thumbnail_url: 'https://evil.test/' };
    const { status, body } = await send(file(url, { ...lies, alternative_text: 'A black picture' }));
    expect(status).toBe(200);
    const base = url.replace('/photo.png', '');
    const shown = {
      id: body.event_id,
      created_at: expect.any(String),
      author_id: customer.id,
      visibility: 'all',
      type: 'file',
      url,
      name: 'photo.png',
      content_type: 'image/png',
      size: pngOf(800, 400).length,
      width: 800,
      height: 400,
      thumbnail_url: `${base}/thumbnail/picture.webp`,
      thumbnail2x_url: `${base}/thumbnail2x/picture.webp`,
      alternative_text: 'A black picture',
    };
    expect(await events()).toEqual([shown]);
    const { threads } = (await call('list_threads', { chat_id })).body;
    expect(threads[0].events).toEqual([shown]);
    const [summary] = (await call('list_chats')).body.chats_summary;
    expect(summary.last_event_per_type.file.event).toEqual(shown);
  });

  it('is pushed like other events, and stays in order before a message sent right after it', async () => {
    const url = await uploadUrl();
    const client = await test.logIn(organization, customer);
    const sent = [
      client.request('send_event', { chat_id, event: file(url) }),
      client.request('send_event', { chat_id, event: message('See above') }),
    ];
    for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ success: true });
    const [first, second] = [await client.nextPush(), await client.nextPush()];
    expect(first).toMatchObject({
      action: 'incoming_event',
      payload: { event: { type: 'file', url, name: 'note.txt', content_type: 'text/plain', size: 5 } },
    });
    expect(second.payload.event).toMatchObject({ text: 'See above' });
    expect(first.payload.event).not.toHaveProperty('width');
    await client.close();
  });

  it('can start and resume a chat', async () => {
    const [one, two] = [await uploadUrl(), await uploadUrl()];
    const started = await call('start_chat', { chat: { thread: { events: [file(one), message('hi')] } } });
    expect(started).toMatchObject({ status: 200, body: { event_ids: [expect.any(String), expect.any(String)] } });
    const id = started.body.chat_id;
    await call('deactivate_chat', { id });
    expect((await call('resume_chat', { chat: { id, thread: { events: [file(two)] } } })).status).toBe(200);
    test.clock.advance(DAY);
    customer = await renewToken(organization, customer);
    for (const url of [one, two]) expect((await download(url)).statusCode).toBe(200);
  });

  it('is sent once, even with retries', async () => {
    const event = file(await uploadUrl(), { custom_id: 'k1' });
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(event)));
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], headers: expect.anything() });
    expect(await events()).toHaveLength(1);
  });

  it('keeps the file forever; unused files expire after a day', async () => {
    const [used, unused] = [await uploadUrl(), await uploadUrl()];
    await send(file(used));
    test.clock.advance(DAY - 1);
    expect((await download(unused)).statusCode).toBe(200);
    test.clock.advance(1);
    expect((await download(unused)).statusCode).toBe(404);
    customer = await renewToken(organization, customer);
    call = callAs(test, organization, customer);
    expect(await send(file(unused))).toMatchObject(refused);
    test.clock.advance(400 * DAY);
    customer = await renewToken(organization, customer);
    call = callAs(test, organization, customer);
    expect((await download(used)).body).toBe('hello');
    expect((await send(file(used))).status).toBe(200);
  });

  it('does not mark the file as used when it is rejected', async () => {
    const url = await uploadUrl();
    await call('deactivate_chat', { id: chat_id });
    expect(await send(file(url))).toMatchObject(errorResponse(422, 'chat_inactive'));
    test.clock.advance(DAY);
    expect((await download(url)).statusCode).toBe(404);
  });

  it('accepts only files of its author', async () => {
    const other = await buildCustomer(organization);
    const theirs = await buildOrganization(test);
    const stranger = await buildCustomer(theirs);
    const own = await uploadUrl();
    const urls = [
      await uploadUrl({ content: 'x' }, other),
      await uploadUrl({ content: 'x' }, stranger, theirs),
      own.replace('parley.test', 'evil.test'),
      own.replace(/[0-9a-f]{32}/, '0'.repeat(32)),
      'https://evil.test/x.png',
      'x',
    ];
    for (const url of urls) expect(await send(file(url)), url).toMatchObject(refused);
    const begun = await call('start_chat', { chat: { thread: { events: [file(urls[0]!)] } } });
    expect(begun).toMatchObject(refused);
    expect(await events()).toEqual([]);
    expect((await call('list_chats')).body.total_chats).toBe(1);
  });

  it.each<[string, object]>([
    ['no address', { type: 'file' }],
    ['an empty URL', { type: 'file', url: '' }],
    ['a URL that is too long', { type: 'file', url: 'x'.repeat(4097) }],
    ['an alternative text that is too long', { type: 'file', url: 'x', alternative_text: 'x'.repeat(1001) }],
  ])('is rejected with %s', async (_, event) => {
    expect(await send(event)).toMatchObject(refused);
  });
});

describe('an agent', () => {
  const callAgent = (operation: string, input: object) =>
    test.app.inject({
      method: 'POST',
      url: `/v3.5/agent/action/${operation}`,
      ...input,
      headers: { authorization: organization.owner.basic, ...('headers' in input ? (input.headers as object) : {}) },
    });

  it('can upload files and send files of customers', async () => {
    const own = await callAgent('upload_file', await formOf({ content: 'from us' }));
    expect(own.statusCode).toBe(200);
    for (const url of [own.json().url, await uploadUrl()]) {
      const payload = { chat_id, event: file(url) };
      expect((await callAgent('send_event', { payload })).statusCode).toBe(200);
    }
    expect((await events()).map(({ size }: { size: number }) => size)).toEqual([7, 5]);
    const foreign = await buildOrganization(test);
    const url = await uploadUrl({ content: 'x' }, await buildCustomer(foreign), foreign);
    expect((await callAgent('send_event', { payload: { chat_id, event: file(url) } })).statusCode).toBe(400);
  });

  it('can find an attachment in the archive', async () => {
    const url = await uploadUrl();
    const { body } = await send(file(url, { alternative_text: 'A note' }));
    const id = body.event_id.split('_')[0];
    const response = await test.app.inject({
      url: `/chats/${id}`,
      headers: { authorization: organization.owner.basic },
    });
    expect(response.json().messages).toEqual([]);
    expect(response.json().events).toMatchObject([
      {
        type: 'attachment',
        text: 'A note',
        author_name: 'Client',
        user_type: 'visitor',
        files: [{ name: 'note.txt', url, content_type: 'text/plain', size: 5 }],
      },
    ]);
  });
});
