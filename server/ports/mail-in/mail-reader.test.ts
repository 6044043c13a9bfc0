import { afterAll, expect, it } from 'vitest';
import { createMailReader } from './mail-reader.ts';

const reader = createMailReader({ timeoutMs: 60_000 });
afterAll(() => reader.close());

const plain = Buffer.from('From: a@far.test\r\nSubject: x\r\n\r\nhello');

it('parses emails one after another, with attachments', async () => {
  const file = Buffer.from(
    'From: b@far.test\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment\r\n\r\nfile',
  );
  const [one, two] = await Promise.all([reader.read(plain), reader.read(file)]);
  expect(one).toMatchObject({ from: { address: 'a@far.test' }, text: 'hello', malformed: false });
  expect(Buffer.from(two.attachments[0]!.content).toString().trim()).toBe('file');
});

it('aborts an email that takes too long and parses the next', async () => {
  const slow = Buffer.concat([Buffer.from('From: a@far.test\r\n\r\n'), Buffer.alloc(20_000_000, 'a\r\n')]);
  const [unreadable, next] = await Promise.all([reader.read(slow), reader.read(plain)]);
  expect(unreadable).toMatchObject({ malformed: true, attachments: [] });
  expect(unreadable.text).toMatch(/^From: a@far\.test/);
  expect(next).toMatchObject({ text: 'hello', malformed: false });
});
