import { Button } from '@mantine/core';
import { requestEmailConfirmation } from '#contracts/agent/sessions.ts';
import { call } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import { notifySuccess } from '../design/notices.ts';
import { useAction } from '../design/use-action.ts';
import { t } from '../i18n/t.ts';
import classes from './connection-banner.module.css';

/** Emails the signed-in agent a link that confirms the address. */
export const ConfirmEmailButton = () => {
  const { login } = useSession();
  const sending = useAction(
    () => call(requestEmailConfirmation, { body: {} }),
    () => notifySuccess(t('weveSentALinkTo', { email: login })),
  );
  return (
    <Button
      variant="default"
      size="compact-sm"
      style={{ flexShrink: 0 }}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {t('sendConfirmationLink')}
    </Button>
  );
};

/** The account sends no email to customers until its owner has confirmed the address. */
export const ConfirmEmailBanner = () => {
  const { permission, email_confirmed } = useSession();
  if (permission !== 'owner' || email_confirmed) return null;
  return (
    <div className={classes.mark}>
      {t('confirmYourEmailAddressTo')}
      <ConfirmEmailButton />
    </div>
  );
};
