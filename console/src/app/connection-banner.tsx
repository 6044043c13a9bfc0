import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../i18n/t.ts';
import { type LiveStatus, useLiveStatus } from '../realtime/live.ts';
import classes from './connection-banner.module.css';

const LABELS: Partial<Record<LiveStatus, string>> = {
  connecting: t('connectionLostReconnecting'),
  catching_up: t('syncing'),
};

/** The first connection takes a moment; showing a warning for it would only flicker. */
const FIRST_CONNECTION_MS = 1_500;

/** Warns when the data on screen may be out of date. */
export const ConnectionBanner = () => {
  const status = useLiveStatus();
  const [wasLive, setWasLive] = useState(false);
  useEffect(() => {
    if (status === 'live') setWasLive(true);
    const timer = setTimeout(() => setWasLive(true), FIRST_CONNECTION_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const label = wasLive ? LABELS[status] : undefined;
  return (
    <div role="status" aria-live="polite">
      {label && (
        <div className={classes.mark} data-status={status}>
          <Loader size={12} color="currentColor" aria-hidden />
          {label}
        </div>
      )}
    </div>
  );
};
