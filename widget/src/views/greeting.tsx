/** @jsxImportSource preact */
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icons.tsx';
import { asText } from './linked-text.tsx';
import { useWidget } from './use-widget.ts';

/** A greeting next to the bubble. Clicking it opens the window. */
export const GreetingCard = ({ state }: { state: State }) => {
  const { core, t, actions } = useWidget();
  const { greeting } = state;
  if (!greeting || greeting.accepted) return null;
  const { agent, event } = greeting;
  return (
    <section class="greeting" aria-label={t('Message_of', { name: agent.name })} aria-live="polite">
      <button
        type="button"
        class="open"
        onClick={() => {
          actions.acceptGreeting();
          core.setVisibility('maximized');
        }}
      >
        <Avatar name={agent.name} address={agent.avatar} />
        <span class="column">
          <small dir="auto">{[agent.name, agent.job_title].filter(Boolean).join(', ')}</small>
          <span class="text" dir="auto">
            {asText(event.text)}
          </span>
        </span>
      </button>
      <button type="button" class="round" aria-label={t('Close')} title={t('Close')} onClick={actions.cancelGreeting}>
        <Icon name="close" />
      </button>
    </section>
  );
};
