import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type LiveStatus, useLiveStatus } from '../realtime/live.ts';
import classes from './live-mark.module.css';

const WORDS: Partial<Record<LiveStatus, string>> = {
  connecting: 'No connection to the server. Trying again …',
  catching_up: 'Catching up …',
};

/** The first connection takes a moment that nobody needs to be told of. */
const PATIENCE_MS = 1_500;

/** Says when what is shown may be behind, so that nobody answers blind. */
export const LiveMark = () => {
  const status = useLiveStatus();
  const [wasLive, setWasLive] = useState(false);
  useEffect(() => {
    if (status === 'live') setWasLive(true);
    const patience = setTimeout(() => setWasLive(true), PATIENCE_MS);
    return () => clearTimeout(patience);
  }, [status]);
  const words = wasLive ? WORDS[status] : undefined;
  return (
    <div role="status" aria-live="polite">
      {words && (
        <div className={classes.mark} data-status={status}>
          <Loader size={12} color="currentColor" aria-hidden />
          {words}
        </div>
      )}
    </div>
  );
};
