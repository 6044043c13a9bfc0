/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { State, View } from '../chat/state.ts';
import type { Core } from '../core.ts';
import { Chat } from './chat.tsx';
import { useChatting } from './context.ts';
import { type Asking, Header } from './header.tsx';
import { History } from './history.tsx';
import { Start, Ticket, TicketSent } from './start.tsx';
import { Transcript } from './transcript.tsx';

const views: Record<View, (props: { state: State }) => preact.JSX.Element | null> = {
  start: Start,
  chat: Chat,
  ticket: Ticket,
  ticket_sent: TicketSent,
  history: History,
};

/** After a moment only: most links are back before anybody would notice. */
const Link = ({ state }: { state: State }) => {
  const { say } = useChatting();
  const [late, setLate] = useState(false);
  const broken = state.link !== 'online';
  useEffect(() => {
    if (!broken) return setLate(false);
    const timer = setTimeout(setLate, 1200, true);
    return () => clearTimeout(timer);
  }, [broken]);
  return (
    <p class="link-state" role="status">
      {broken && late && say(state.known ? 'Connection_lost' : 'Connecting')}
    </p>
  );
};

const ConfirmEnd = ({ onDone }: { onDone(): void }) => {
  const { say, talking } = useChatting();
  return (
    <div class="notice" role="alertdialog" aria-label={say('Are_you_sure_close')}>
      <span>{say('Are_you_sure_close')}</span>
      <span class="actions">
        <button
          type="button"
          class="primary"
          ref={(button) => button?.focus()}
          onClick={() => void talking.end().then(onDone, onDone)}
        >
          {say('Close_chat')}
        </button>
        <button type="button" class="link" onClick={onDone}>
          {say('Cancel')}
        </button>
      </span>
    </div>
  );
};

/** Whoever looks elsewhere is not called back: a window that is restored with the page stays quiet. */
const focusFirst = ({ root }: Core, body: HTMLElement | null): void => {
  if (!root.activeElement && document.activeElement !== document.body) return;
  const find = (selector: string) => body?.querySelector<HTMLElement>(selector);
  (find('.message') ?? find('input, textarea, select') ?? find('button') ?? body)?.focus();
};

const Body = ({ state }: { state: State }) => {
  const { core, say } = useChatting();
  const body = useRef<HTMLDivElement>(null);
  const View = views[state.view];
  useEffect(() => focusFirst(core, body.current), [core]);
  return (
    <div ref={body} class="body" tabIndex={-1}>
      {state.known ? <View state={state} /> : <p class="waiting">{say('Connecting')}</p>}
    </div>
  );
};

/** The window of the widget. */
export const Panel = ({ state }: { state: State }) => {
  const { core, say } = useChatting();
  const [question, ask] = useState<{ what: Asking; view: View }>();
  const asking = question?.view === state.view ? question.what : undefined;
  const leave = (): void => ask(undefined);
  const close = (): void => {
    core.setVisibility('minimized');
    core.bubble.focus();
  };
  return (
    <div
      class="panel"
      role="dialog"
      aria-label={say('Chat_with_us')}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        // Keys pressed in here are no shortcuts of the page.
        event.stopPropagation();
      }}
    >
      <Header state={state} ask={(what) => ask({ what, view: state.view })} />
      <Link state={state} />
      {asking === 'end' && <ConfirmEnd onDone={leave} />}
      {asking === 'transcript' && <Transcript state={state} onDone={leave} />}
      <Body key={`${state.view} ${state.known}`} state={state} />
    </div>
  );
};
