/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { State, View } from '../chat/state.ts';
import type { Core } from '../core.ts';
import { Chat } from './chat.tsx';
import { type Dialog, Header } from './header.tsx';
import { History } from './history.tsx';
import { Start, Ticket, TicketSent } from './start.tsx';
import { Transcript } from './transcript.tsx';
import { useWidget } from './use-widget.ts';

const views: Record<View, (props: { state: State }) => preact.JSX.Element | null> = {
  start: Start,
  chat: Chat,
  ticket: Ticket,
  ticket_sent: TicketSent,
  history: History,
};

/** Shown after a delay because most connections are back within a second. */
const ConnectionStatus = ({ state }: { state: State }) => {
  const { t } = useWidget();
  const [isOverdue, setIsOverdue] = useState(false);
  const isOffline = state.link !== 'online';
  useEffect(() => {
    if (!isOffline) return setIsOverdue(false);
    const timer = setTimeout(setIsOverdue, 1200, true);
    return () => clearTimeout(timer);
  }, [isOffline]);
  return (
    <p class="link-state" role="status">
      {isOffline && isOverdue && t(state.isLoaded ? 'Connection_lost' : 'Connecting')}
    </p>
  );
};

const ConfirmEnd = ({ onDone }: { onDone(): void }) => {
  const { t, actions } = useWidget();
  return (
    <div class="notice" role="alertdialog" aria-label={t('Are_you_sure_close')}>
      <span>{t('Are_you_sure_close')}</span>
      <span class="actions">
        <button
          type="button"
          class="primary"
          ref={(button) => button?.focus()}
          onClick={() => void actions.endChat().then(onDone, onDone)}
        >
          {t('Close_chat')}
        </button>
        <button type="button" class="link" onClick={onDone}>
          {t('Cancel')}
        </button>
      </span>
    </div>
  );
};

/** Does not take the focus from the page: a window that is restored on load must not interrupt typing elsewhere. */
const focusFirst = ({ root }: Core, body: HTMLElement | null): void => {
  if (!root.activeElement && document.activeElement !== document.body) return;
  const find = (selector: string) => body?.querySelector<HTMLElement>(selector);
  (find('.message') ?? find('input, textarea, select') ?? find('button') ?? body)?.focus();
};

const Body = ({ state }: { state: State }) => {
  const { core, t } = useWidget();
  const body = useRef<HTMLDivElement>(null);
  const View = views[state.view];
  useEffect(() => focusFirst(core, body.current), [core]);
  return (
    <div ref={body} class="body" tabIndex={-1}>
      {state.isLoaded ? <View state={state} /> : <p class="waiting">{t('Connecting')}</p>}
    </div>
  );
};

export const Panel = ({ state }: { state: State }) => {
  const { core, t } = useWidget();
  const [question, openDialog] = useState<{ what: Dialog; view: View }>();
  const dialog = question?.view === state.view ? question.what : undefined;
  const leave = (): void => openDialog(undefined);
  const close = (): void => {
    core.setVisibility('minimized');
    core.bubble.focus();
  };
  return (
    <div
      class="panel"
      role="dialog"
      aria-label={t('Chat_with_us')}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        // Keys pressed in the widget must not trigger shortcuts of the page.
        event.stopPropagation();
      }}
    >
      <Header state={state} openDialog={(what) => openDialog({ what, view: state.view })} />
      <ConnectionStatus state={state} />
      {dialog === 'end' && <ConfirmEnd onDone={leave} />}
      {dialog === 'transcript' && <Transcript state={state} onDone={leave} />}
      <Body key={`${state.view} ${state.isLoaded}`} state={state} />
    </div>
  );
};
