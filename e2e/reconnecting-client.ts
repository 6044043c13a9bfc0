import WebSocket from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: frames are read without types.
type Json = any;

export interface ClientOptions {
  url: string;
  token: string;
  chatId: string;
  /** Prefix of the messages of this client. */
  name: string;
  /** Called wherever the connection could break; whether to break it now. */
  shouldBreak(): boolean;
  /** Whether to send more messages. */
  shouldContinue(): boolean;
}

export interface ReconnectingClient {
  /** Events this client has received. */
  events: { id: string; text: string }[];
  /** Number of sent messages. */
  sentCount(): number;
  errors: string[];
  /** Resolves when all messages are sent and acknowledged. */
  finished: Promise<void>;
  /** Resolves when it has received this many events. */
  waitForEvents(count: number): Promise<void>;
  close(): void;
}

const MAX_CONCURRENT = 3;

const numberOf = (eventId: string): number => Number(eventId.split('_')[1]);

/**
 * A robust chat client: after every lost connection it logs in again, fetches the chat, resends unacknowledged messages,
 * and then follows the pushes.
 */
export const openReconnectingClient = ({
  url,
  token,
  chatId,
  name,
  shouldBreak,
  shouldContinue,
}: ClientOptions): ReconnectingClient => {
  const events: ReconnectingClient['events'] = [];
  const unacknowledged = new Set<string>();
  const errors: string[] = [];
  const finished = Promise.withResolvers<void>();
  let socket: WebSocket;
  /** Pushes that arrived before the chat was fetched. */
  let early: Json[] | undefined;
  let count = 0;
  let closed = false;
  let check = (): void => {};

  const maybeBreak = (): void => {
    if (socket.readyState !== WebSocket.CLOSED && shouldBreak()) socket.terminate();
  };

  const send = (action: string, payload: object, requestId: string = action): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ action, payload, request_id: requestId }));
    maybeBreak();
  };

  const sendMessage = (text: string): void =>
    send('send_event', { chat_id: chatId, event: { type: 'message', text, custom_id: text } }, text);

  const sendMoreMessages = (): void => {
    while (unacknowledged.size < MAX_CONCURRENT && shouldContinue()) {
      const text = `${name} ${++count}`;
      unacknowledged.add(text);
      sendMessage(text);
    }
    if (unacknowledged.size === 0 && !shouldContinue()) finished.resolve();
  };

  const receive = ({ id, text }: Json): void => {
    const expected = events.length + 1;
    if (numberOf(id) > expected) errors.push(`${name}: ${id} came before number ${expected}`);
    else if (numberOf(id) === expected) events.push({ id, text });
    check();
  };

  const handleFrame = (frame: Json): void => {
    if (frame.action === 'incoming_event') {
      const { event } = frame.payload;
      if (early) early.push(event);
      else receive(event);
    } else if (frame.type === 'response' && !frame.success) errors.push(`${name}: ${JSON.stringify(frame)}`);
    else if (frame.action === 'login') send('get_chat', { chat_id: chatId });
    else if (frame.action === 'get_chat') {
      for (const event of [...frame.payload.thread.events, ...(early ?? [])]) receive(event);
      early = undefined;
      for (const text of unacknowledged) sendMessage(text);
      sendMoreMessages();
    } else if (frame.action === 'send_event') {
      unacknowledged.delete(frame.request_id);
      sendMoreMessages();
    }
  };

  const connect = (): void => {
    early = [];
    const opened = new WebSocket(url, { perMessageDeflate: false });
    socket = opened;
    opened.on('open', () => send('login', { token }));
    opened.on('message', (data) => {
      handleFrame(JSON.parse(data.toString()));
      maybeBreak();
    });
    // Broken connections are intended; the close handler reconnects.
    opened.on('error', () => {});
    opened.on('close', () => {
      if (!closed) connect();
    });
  };

  connect();
  return {
    events,
    sentCount: () => count,
    errors,
    finished: finished.promise,
    waitForEvents: (expected) =>
      new Promise((resolve) => {
        check = () => events.length >= expected && resolve();
        check();
      }),
    close: () => {
      closed = true;
      socket.close();
    },
  };
};
