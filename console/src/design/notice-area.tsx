import { Notification } from '@mantine/core';
import { t } from '../i18n/t.ts';
import classes from './notice-area.module.css';
import { dismissNotice, useNotices } from './notices.ts';

export const NoticeArea = () => (
  <div className={classes.area} role="status" aria-live="polite">
    {useNotices().map(({ id, text, kind }) => (
      <Notification
        key={id}
        withBorder
        color={kind === 'failed' ? 'red' : 'accent'}
        onClose={() => dismissNotice(id)}
        closeButtonProps={{ 'aria-label': t('dismiss') }}
      >
        {text}
      </Notification>
    ))}
  </div>
);
