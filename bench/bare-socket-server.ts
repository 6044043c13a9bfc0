import { type WebSocket, WebSocketServer } from 'ws';

/** The ceiling: `ws` alone, which broadcasts every frame it gets from the parent process to all sockets. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
const sockets = new Set<WebSocket>();
server.on('connection', (socket) => {
  sockets.add(socket);
  socket.on('message', () => socket.send('{"type":"response","success":true}'));
});
server.on('listening', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('message', (frame: string) => {
  for (const socket of sockets) socket.send(frame);
});
