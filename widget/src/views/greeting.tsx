/** @jsxImportSource preact */
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { useChatting } from './context.ts';
import { Icon } from './icons.tsx';
import { textOr } from './words.tsx';

/** A greeting beside the bubble: pressed it opens the window, closed it is gone. */
export const GreetingCard = ({ state }: { state: State }) => {
  const { core, say, talking } = useChatting();
  const { greeting } = state;
  if (!greeting || greeting.accepted) return null;
  const { agent, event } = greeting;
  return (
    <section class="greeting" aria-label={say('Message_of', { name: agent.name })} aria-live="polite">
      <button
        type="button"
        class="open"
        onClick={() => {
          talking.acceptGreeting();
          core.setVisibility('maximized');
        }}
      >
        <Avatar name={agent.name} address={agent.avatar} />
        <span class="column">
          <small dir="auto">{[agent.name, agent.job_title].filter(Boolean).join(', ')}</small>
          <span class="words" dir="auto">
            {textOr(event.text)}
          </span>
        </span>
      </button>
      <button
        type="button"
        class="round"
        aria-label={say('Close')}
        title={say('Close')}
        onClick={talking.cancelGreeting}
      >
        <Icon name="close" />
      </button>
    </section>
  );
};
