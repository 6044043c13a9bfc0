import type { LoginResponse } from '#contracts/customer/login.ts';
import type { App, Core } from '../core.ts';
import { createChatActions } from './chat-actions.ts';
import { type ChatContext, startView } from './chat-context.ts';
import { countUnread, isActive, lastThread } from './conversation.ts';
import { createForms } from './forms.ts';
import { createTranslate, languageOf, loadPhrases, readCachedPhrases } from './localization.ts';
import { createMessageSender } from './message-sender.ts';
import { openOutbox } from './outbox.ts';
import { createPushHandler } from './push-handler.ts';
import { createStore, type ShownGreeting, type State } from './state.ts';
import { createSync } from './sync.ts';
import { createUploads } from './uploads.ts';

const statusOf = ({ conversation, greeting }: State): string => {
  if (isActive(conversation)) return lastThread(conversation)?.queue ? 'queued' : 'chatting';
  return greeting ? 'invited' : 'browsing';
};

/** The state that the views show and the actions they offer. */
export const createWidget = (core: Core) => {
  const store = createStore({
    view: 'start',
    isLoaded: false,
    link: core.connection.state(),
    online: core.isOnline(),
    hasHistory: false,
    unsentEvents: [],
    uploads: [],
    phrases: readCachedPhrases(core),
  });
  const outbox = openOutbox(`parley_outbox_${core.options.organizationId}`, () =>
    store.set({ unsentEvents: outbox.all() }),
  );
  const t = createTranslate(
    () => store.get().phrases,
    () => languageOf(core),
  );
  const context: ChatContext = { core, store, outbox, t };
  const sync = createSync(context, (push) => applyPush(push));
  const applyPush = createPushHandler(context, () => void sync.read().catch(() => {}));
  const sender = createMessageSender(context, sync);
  const actions = createChatActions(context);
  const uploads = createUploads(context, sender);
  const forms = createForms(context, sync, sender);
  let status = statusOf(store.get());

  const read = async (): Promise<void> => {
    store.set({ phrases: await loadPhrases(core) });
    await sync.read();
    await sender.flush(true);
  };

  const onLogin = ({ greeting }: LoginResponse): void => {
    const shown = greeting as ShownGreeting | undefined;
    if (shown && shown.unique_id !== store.get().greeting?.unique_id && !shown.accepted)
      core.emit('greeting_displayed', { id: shown.id, uniqueId: shown.unique_id });
    store.set({ customer: core.customer(), greeting: shown, link: core.connection.state() });
    // A failure means that the connection was lost; the next login loads again.
    void read().catch(() => {});
  };

  /** Removes events from the outbox that have arrived in the conversation. */
  const reconcile = ({ conversation, unsentEvents }: State): void => {
    if (unsentEvents.length === 0 || !conversation) return;
    const arrived = conversation.threads.flatMap(({ events }) => events.map(({ custom_id }) => custom_id ?? ''));
    const arrivedIds = unsentEvents.map(({ id }) => id).filter((id) => arrived.includes(id));
    if (arrivedIds.length > 0) outbox.remove(arrivedIds);
  };

  const isVisible = (): boolean => core.visibility() === 'maximized' && !document.hidden && store.get().view === 'chat';

  const onChange = (): void => {
    const state = store.get();
    reconcile(state);
    const unread = countUnread(state.conversation, state.customer?.id);
    core.bubble.setUnread(core.visibility() === 'maximized' ? 0 : unread);
    if (unread > 0 && isVisible()) actions.markSeen();
    if (status !== statusOf(state)) {
      status = statusOf(state);
      core.emit('customer_status_changed', { status });
    }
  };
  store.listen(onChange);
  document.addEventListener('visibilitychange', onChange);
  store.set({ unsentEvents: outbox.all() });

  const app: App = {
    onLogin,
    onPush: sync.push,
    onLink: (link) => store.set({ link }),
    refresh: () => {
      const { online, view, isLoaded } = store.get();
      const now = core.isOnline();
      store.set({ online: now });
      // An open form stays open when availability changes, so that nothing typed is lost.
      if (isLoaded && now && !online && view === 'ticket' && core.visibility() !== 'maximized')
        store.set({ view: 'start' });
      if (isLoaded && !now && online && view === 'start') store.set({ view: startView(context) });
    },
    describe: () => {
      const { conversation } = store.get();
      const threadId = isActive(conversation) ? lastThread(conversation)?.id : undefined;
      return { chatId: conversation?.id, threadId, status };
    },
    hideGreeting: actions.cancelGreeting,
    startChat: (text) => {
      if (text) sender.send({ type: 'message', text });
    },
  };

  const login = core.connection.login();
  if (login && core.dynamic()) onLogin(login);
  return { core, context, store, t, app, sync, sender, actions, uploads, forms };
};

export type Widget = ReturnType<typeof createWidget>;
