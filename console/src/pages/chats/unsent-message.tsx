import { LinkedText } from '../../design/linked-text.tsx';
import type { Unsent } from '../../realtime/chats/outbox.ts';
import { discardUnsent, retrySending } from '../../realtime/chats/sending.ts';
import classes from './messages.module.css';
import { t } from './t.ts';

const textOf = ({ event }: Unsent): string => {
  if (event.type === 'message' || event.type === 'system_message') return event.text;
  return event.type === 'file' ? t('file') : t('card');
};

/** A message that the server has not confirmed yet. */
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
    {unsent.state === 'failed' || unsent.state === 'waiting' ? (
      <div className={classes.state} data-failed role="alert">
        {unsent.state === 'waiting' ? t('waitingForTheConnection') : (unsent.reason ?? t('notSent'))} ·{' '}
        <button type="button" className={classes.link} onClick={() => retrySending(unsent)}>
          {t('tryAgain')}
        </button>{' '}
        ·{' '}
        <button type="button" className={classes.link} onClick={() => discardUnsent(unsent.customId)}>
          {t('discard')}
        </button>
      </div>
    ) : (
      <div className={classes.state}>{unsent.state === 'sent' ? t('sent') : t('sending')}</div>
    )}
  </div>
);
