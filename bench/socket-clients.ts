import WebSocket from 'ws';

/**
 * Opens many sockets in a separate process and sends `{opened}` to the parent process when all are open and logged in (if a
 * login frame is given). For every message from the parent it waits for one push on each socket and then sends `{allAt}`.
 */
const [url, count, login] = [process.argv[2]!, Number(process.argv[3]), process.argv[4]];
const MAX_CONCURRENT_OPENING = 100;

let received = 0;
let onAll: (() => void) | undefined;
const sockets: WebSocket[] = [];

const open = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    sockets.push(socket);
    socket.on('error', reject);
    socket.on('open', () => (login ? socket.send(login) : resolve()));
    socket.on('message', (data: Buffer) => {
      if (data.includes('"type":"response"')) {
        if (data.includes('"success":true')) resolve();
        else reject(new Error(data.toString()));
      } else if (data.includes('incoming_event') && ++received === count) onAll?.();
    });
  });

for (let at = 0; at < count; at += MAX_CONCURRENT_OPENING) {
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT_OPENING, count - at) }, open));
}
process.send!({ opened: count });

process.on('message', (command) => {
  if (command === 'end') process.exit(0);
  received = 0;
  onAll = () => process.send!({ allAt: Date.now() });
  process.send!({ listening: true });
});
