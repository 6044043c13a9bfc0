import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { cleanUp } from '../../testing/http/web-receiver.ts';
import { createNameServerLookup, lookUpBySystem } from './lookup.ts';

const A = 1;
const AAAA = 28;

/** Answers one question per packet with the records of its type; does not answer for types without a list. */
const startNameServer = async (records: { [A]?: number[][]; [AAAA]?: number[][] }) => {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const questionEnd = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(questionEnd - 4) as typeof A | typeof AAAA;
    const answers = records[type];
    if (!answers) return;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(answers.length, 6);
    header.fill(0, 8);
    const written = answers.map((data) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]));
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...written]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanUp(() => socket.close());
  return { socket, lookup: createNameServerLookup([`127.0.0.1:${socket.address().port}`]) };
};

const { signal } = new AbortController();

it('asks for IPv4 and IPv6 addresses', async () => {
  const ipv6 = [0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
  const { lookup } = await startNameServer({
    [A]: [
      [8, 8, 8, 8],
      [10, 0, 0, 1],
    ],
    [AAAA]: [ipv6],
  });
  expect(await lookup('both.test', signal)).toEqual(['8.8.8.8', '10.0.0.1', '2606:4700::1']);
});

it('succeeds with one family and fails with none', async () => {
  const one = await startNameServer({ [A]: [[8, 8, 8, 8]], [AAAA]: [] });
  expect(await one.lookup('one.test', signal)).toEqual(['8.8.8.8']);
  const none = await startNameServer({ [A]: [], [AAAA]: [] });
  await expect(none.lookup('none.test', signal)).rejects.toMatchObject({ code: 'ENODATA' });
});

it('stops querying a name server that does not respond when the caller aborts', async () => {
  const { socket, lookup } = await startNameServer({});
  const controller = new AbortController();
  socket.once('message', () => controller.abort());
  await expect(lookup('silent.test', controller.signal)).rejects.toMatchObject({ code: 'ECANCELLED' });
});

it('resolves the names of this machine with the system resolver', async () => {
  expect(await lookUpBySystem('localhost', signal)).toContain('127.0.0.1');
});
