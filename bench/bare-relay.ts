import { type WebSocket, WebSocketServer } from 'ws';

/** The ceiling: `ws` alone, which forwards each frame to the socket named in it. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
const sockets = new Map<string, WebSocket>();
server.on('connection', (socket, request) => {
  sockets.set(request.url!.slice(1), socket);
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString());
    sockets.get(frame.to)?.send(JSON.stringify({ type: 'push', payload: frame.payload }));
  });
});
server.on('listening', () => process.send!({ port: (server.address() as { port: number }).port }));
