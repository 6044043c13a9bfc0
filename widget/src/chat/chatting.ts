import type { LoginAnswer } from '#contracts/customer/login.ts';
import type { App, Core } from '../core.ts';
import { countUnread, isActive, lastThread } from './conversation.ts';
import { type Desk, startView } from './desk.ts';
import { createForms } from './forms.ts';
import { openOutbox } from './outbox.ts';
import { createSay, languageOf, readPhrases, recallPhrases } from './phrases.ts';
import { createPushes } from './pushes.ts';
import { createSending } from './sending.ts';
import { createStore, type ShownGreeting, type State } from './state.ts';
import { createSync } from './sync.ts';
import { createTalking } from './talking.ts';
import { createUploads } from './uploads.ts';

const statusOf = ({ conversation, greeting }: State): string => {
  if (isActive(conversation)) return lastThread(conversation)?.queue ? 'queued' : 'chatting';
  return greeting ? 'invited' : 'browsing';
};

/** All that the views show and do. */
export const createChatting = (core: Core) => {
  const store = createStore({
    view: 'start',
    known: false,
    link: core.connection.state(),
    online: core.isOnline(),
    hasHistory: false,
    drafts: [],
    uploads: [],
    phrases: recallPhrases(core),
  });
  const outbox = openOutbox(`parley_outbox_${core.options.organizationId}`, () => store.set({ drafts: outbox.all() }));
  const say = createSay(
    () => store.get().phrases,
    () => languageOf(core),
  );
  const desk: Desk = { core, store, outbox, say };
  const sync = createSync(desk, (push) => take(push));
  const take = createPushes(desk, () => void sync.read().catch(() => {}));
  const sending = createSending(desk, sync);
  const talking = createTalking(desk);
  const uploads = createUploads(desk, sending);
  const forms = createForms(desk, sync, sending);
  let status = statusOf(store.get());

  const read = async (): Promise<void> => {
    store.set({ phrases: await readPhrases(core) });
    await sync.read();
    await sending.flush(true);
  };

  const onLogin = ({ greeting }: LoginAnswer): void => {
    const shown = greeting as ShownGreeting | undefined;
    if (shown && shown.unique_id !== store.get().greeting?.unique_id && !shown.accepted)
      core.emit('greeting_displayed', { id: shown.id, uniqueId: shown.unique_id });
    store.set({ customer: core.customer(), greeting: shown, link: core.connection.state() });
    // What fails here because the link broke again is read after the next login.
    void read().catch(() => {});
  };

  /** What has arrived is nothing to send any more. */
  const reconcile = ({ conversation, drafts }: State): void => {
    if (drafts.length === 0 || !conversation) return;
    const arrived = conversation.threads.flatMap(({ events }) => events.map(({ custom_id }) => custom_id ?? ''));
    const settled = drafts.map(({ id }) => id).filter((id) => arrived.includes(id));
    if (settled.length > 0) outbox.remove(settled);
  };

  const isLookedAt = (): boolean =>
    core.visibility() === 'maximized' && !document.hidden && store.get().view === 'chat';

  const follow = (): void => {
    const state = store.get();
    reconcile(state);
    const unread = countUnread(state.conversation, state.customer?.id);
    core.bubble.setUnread(core.visibility() === 'maximized' ? 0 : unread);
    if (unread > 0 && isLookedAt()) talking.markSeen();
    if (status !== statusOf(state)) {
      status = statusOf(state);
      core.emit('customer_status_changed', { status });
    }
  };
  store.listen(follow);
  document.addEventListener('visibilitychange', follow);
  store.set({ drafts: outbox.all() });

  const app: App = {
    onLogin,
    onPush: sync.push,
    onLink: (link) => store.set({ link }),
    refresh: () => {
      const { online, view, known } = store.get();
      const now = core.isOnline();
      store.set({ online: now });
      // Somebody who fills in a form keeps it, whoever comes or goes; the chat itself is refused cleanly.
      if (known && now && !online && view === 'ticket' && core.visibility() !== 'maximized')
        store.set({ view: 'start' });
      if (known && !now && online && view === 'start') store.set({ view: startView(desk) });
    },
    describe: () => {
      const { conversation } = store.get();
      const threadId = isActive(conversation) ? lastThread(conversation)?.id : undefined;
      return { chatId: conversation?.id, threadId, status };
    },
    hideGreeting: talking.cancelGreeting,
    startChat: (text) => {
      if (text) sending.send({ type: 'message', text });
    },
  };

  const known = core.connection.login();
  if (known && core.dynamic()) onLogin(known);
  return { core, desk, store, say, app, sync, sending, talking, uploads, forms };
};

export type Chatting = ReturnType<typeof createChatting>;
