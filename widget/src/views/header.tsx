/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import { startView } from '../chat/chat-context.ts';
import { agentOf, isActive } from '../chat/conversation.ts';
import { isSoundOn, setSound } from '../chat/sound.ts';
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icons.tsx';
import { useWidget } from './use-widget.ts';

export type Dialog = 'end' | 'transcript';

const Menu = ({ state, openDialog }: { state: State; openDialog(what: Dialog): void }) => {
  const { t, forms } = useWidget();
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
    [`${t('Rate_this_chat')}: ${t('Good')}`, rate(1), !!answered],
    [`${t('Rate_this_chat')}: ${t('Bad')}`, rate(0), !!answered],
    [t('Send_transcript'), choose(() => openDialog('transcript')), !!answered],
    [
      t(sound ? 'Sound_off' : 'Sound_on'),
      choose(() => {
        setSound(!sound);
        setSoundNow(!sound);
      }),
      true,
    ],
    [t('Close_chat'), choose(() => openDialog('end')), isActive(state.conversation)],
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
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the menu inside.
    <div class="menu" onKeyDown={open ? move : undefined}>
      <button
        ref={button}
        type="button"
        class="round"
        aria-label={t('Menu')}
        title={t('Menu')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="menu" />
      </button>
      {open && (
        <div ref={list} role="menu" class="items" aria-label={t('Menu')}>
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

/** The agent, the menu and the window buttons. */
export const Header = ({ state, openDialog }: { state: State; openDialog(what: Dialog): void }) => {
  const { core, t, store, context } = useWidget();
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
  const canGoBack =
    view === 'history' || (view === 'chat' && !isActive(conversation) && state.unsentEvents.length === 0);
  return (
    <div class="header">
      {canGoBack && (
        <button
          type="button"
          class="round back"
          aria-label={t('Back')}
          title={t('Back')}
          onClick={() => store.set({ view: startView(context) })}
        >
          <Icon name="back" />
        </button>
      )}
      {agent ? <Avatar name={agent.name ?? ''} address={agent.avatar} /> : logo && <Avatar name="" address={logo} />}
      <div class="title">
        <h2 dir="auto">{agent ? agent.name : t(titles[view])}</h2>
        <small dir="auto">{agent ? agent.job_title : t(online ? 'Agents_available' : 'Offline')}</small>
      </div>
      <Menu state={state} openDialog={openDialog} />
      <button
        type="button"
        class="round"
        aria-label={t('Minimize')}
        title={t('Minimize')}
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
