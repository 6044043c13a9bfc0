import { sendEvent } from '#contracts/agent/events.ts';
import type { AgentEventInput } from '#contracts/chat/events.ts';
import { call } from '../../api/call.ts';
import { describeError, isTransient } from '../../api/errors.ts';
import { patchUnsent, type Unsent } from './outbox.ts';
import { currentOutbox, setOutbox } from './store.ts';

/** `crypto.randomUUID` is not available on pages without TLS. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');

/** Messages of a chat are sent one after the other, so they arrive in order. */
const lastSends = new Map<string, Promise<void>>();

const trySend = async ({ customId, chatId }: Unsent): Promise<void> => {
  const unsent = currentOutbox().find((one) => one.customId === customId);
  if (!unsent || unsent.state === 'sent') return;
  try {
    const event = { ...unsent.event, custom_id: customId };
    const { event_id: eventId } = await call(sendEvent, { body: { chat_id: chatId, event } });
    setOutbox((old) => patchUnsent(old, customId, { state: 'sent', eventId, reason: undefined }));
  } catch (error) {
    const failure: Partial<Unsent> = isTransient(error)
      ? { state: 'waiting' }
      : { state: 'failed', reason: describeError(error) };
    setOutbox((old) => patchUnsent(old, customId, failure));
  }
};

const queueSending = (unsent: Unsent): void => {
  const before = lastSends.get(unsent.chatId) ?? Promise.resolve();
  const send = before.then(() => trySend(unsent));
  lastSends.set(unsent.chatId, send);
  void send.finally(() => lastSends.get(unsent.chatId) === send && lastSends.delete(unsent.chatId));
};

/** Shows the event immediately, marked as unsent until the server has it. */
export const sendToChat = (chatId: string, event: AgentEventInput): void => {
  const unsent: Unsent = { customId: newId(), chatId, event, writtenAt: new Date().toISOString(), state: 'sending' };
  setOutbox((old) => [...old, unsent]);
  queueSending(unsent);
};

/** Retries with the same ID; the server stores the event only once. */
export const retrySending = (unsent: Unsent): void => {
  setOutbox((old) => patchUnsent(old, unsent.customId, { state: 'sending', reason: undefined }));
  queueSending(unsent);
};

export const discardUnsent = (customId: string): void =>
  setOutbox((old) => old.filter((unsent) => unsent.customId !== customId));

/** Sends messages that waited for the connection, in the order they were written. */
export const retryWaiting = async (): Promise<void> => {
  for (const unsent of currentOutbox()) if (unsent.state === 'waiting') retrySending(unsent);
  await Promise.all(lastSends.values());
};
