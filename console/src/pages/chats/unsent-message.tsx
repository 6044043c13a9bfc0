import { LinkedText } from '../../design/linked-text.tsx';
import type { Unsent } from '../../realtime/chats/outbox.ts';
import { discardUnsent, retrySending } from '../../realtime/chats/sending.ts';
import classes from './messages.module.css';

const textOf = ({ event }: Unsent): string => {
  if (event.type === 'message' || event.type === 'system_message') return event.text;
  return event.type === 'file' ? 'File' : 'Card';
};

/** Written here, not yet known to the server. */
export const UnsentMessage = ({ unsent }: { unsent: Unsent }) => (
  <div
    className={classes.event}
    data-side="agent"
    data-first
    data-note={unsent.event.visibility === 'agents' || undefined}
    data-unsent={unsent.state}
  >
    <div className={classes.bubble}>
      <LinkedText text={textOf(unsent)} />
    </div>
    {unsent.state === 'failed' ? (
      <div className={classes.state} data-failed role="alert">
        {unsent.reason ?? 'Not sent'} ·{' '}
        <button type="button" className={classes.link} onClick={() => retrySending(unsent)}>
          Try again
        </button>{' '}
        ·{' '}
        <button type="button" className={classes.link} onClick={() => discardUnsent(unsent.customId)}>
          Discard
        </button>
      </div>
    ) : (
      <div className={classes.state}>{unsent.state === 'sent' ? 'Sent' : 'Sending …'}</div>
    )}
  </div>
);
