/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import { agentOf, isActive } from '../chat/conversation.ts';
import { startView } from '../chat/desk.ts';
import { isSoundOn, setSound } from '../chat/sound.ts';
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { useChatting } from './context.ts';
import { Icon } from './icons.tsx';

export type Asking = 'end' | 'transcript';

const Menu = ({ state, ask }: { state: State; ask(what: Asking): void }) => {
  const { say, forms } = useChatting();
  const [open, setOpen] = useState(false);
  const [sound, setSoundNow] = useState(isSoundOn());
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) list.current?.querySelector('button')?.focus();
  }, [open]);
  const choose = (act: () => void) => () => {
    setOpen(false);
    button.current?.focus();
    act();
  };
  const answered = isActive(state.conversation) && agentOf(state.conversation!);
  const rate = (score: number) => choose(() => void forms.rate(score).catch(() => {}));
  const items: [string, () => void, boolean][] = [
    [`${say('Rate_this_chat')}: ${say('Good')}`, rate(1), !!answered],
    [`${say('Rate_this_chat')}: ${say('Bad')}`, rate(0), !!answered],
    [say('Send_transcript'), choose(() => ask('transcript')), !!answered],
    [
      say(sound ? 'Sound_off' : 'Sound_on'),
      choose(() => {
        setSound(!sound);
        setSoundNow(!sound);
      }),
      true,
    ],
    [say('Close_chat'), choose(() => ask('end')), isActive(state.conversation)],
  ];
  const move = (event: KeyboardEvent): void => {
    const all = [...(list.current?.querySelectorAll('button') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      event.stopPropagation();
      choose(() => {})();
    } else if (step) {
      event.preventDefault();
      const root = list.current!.getRootNode() as ShadowRoot;
      const at = all.indexOf(root.activeElement as HTMLButtonElement);
      all[(at + step + all.length) % all.length]?.focus();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside.
    <div class="menu" onKeyDown={open ? move : undefined}>
      <button
        ref={button}
        type="button"
        class="round"
        aria-label={say('Menu')}
        title={say('Menu')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="menu" />
      </button>
      {open && (
        <div ref={list} role="menu" class="items" aria-label={say('Menu')}>
          {items
            .filter(([, , shown]) => shown)
            .map(([label, act]) => (
              <button key={label} type="button" role="menuitem" onClick={act}>
                {label}
              </button>
            ))}
        </div>
      )}
    </div>
  );
};

/** Who answers, and what can be done about the window. */
export const Header = ({ state, ask }: { state: State; ask(what: Asking): void }) => {
  const { core, say, store, desk } = useChatting();
  const { conversation, view, online } = state;
  const agent =
    (view === 'chat' && conversation && agentOf(conversation)) || (view === 'start' && online && state.agent);
  const titles = {
    history: 'Chat_history',
    ticket: 'Leave_message',
    ticket_sent: 'Leave_message',
    start: 'Chat_with_us',
    chat: 'Chat_with_us',
  };
  const { logo_url: logo } = core.configuration().appearance;
  const canGoBack = view === 'history' || (view === 'chat' && !isActive(conversation) && state.drafts.length === 0);
  return (
    <div class="header">
      {canGoBack && (
        <button
          type="button"
          class="round back"
          aria-label={say('Back')}
          title={say('Back')}
          onClick={() => store.set({ view: startView(desk) })}
        >
          <Icon name="back" />
        </button>
      )}
      {agent ? <Avatar name={agent.name ?? ''} address={agent.avatar} /> : logo && <Avatar name="" address={logo} />}
      <div class="who">
        <h2 dir="auto">{agent ? agent.name : say(titles[view])}</h2>
        <small dir="auto">{agent ? agent.job_title : say(online ? 'Agents_available' : 'Offline')}</small>
      </div>
      <Menu state={state} ask={ask} />
      <button
        type="button"
        class="round"
        aria-label={say('Minimize')}
        title={say('Minimize')}
        onClick={() => {
          core.setVisibility('minimized');
          core.bubble.focus();
        }}
      >
        <Icon name="down" />
      </button>
    </div>
  );
};
