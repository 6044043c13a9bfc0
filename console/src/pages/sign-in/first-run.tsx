import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signInWithLink } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm, useSignInAction } from './sign-in-form.tsx';
import { t } from './t.ts';
import { TwoStepForm } from './two-step-form.tsx';

/** Signs in on click, not on load: link scanners would use up the one-time link. */
export const FirstRunPage = () => {
  const { token } = useSearch({ from: '/first-run' });
  const [ticket, setTicket] = useState<string>();
  const entering = useSignInAction(async () => {
    const answer = await call(signInWithLink, { body: { token: token ?? '' } });
    if ('ticket' in answer) setTicket(answer.ticket);
    else await enterConsole(undefined);
  }, t('thisLinkHasExpiredOr'));
  if (ticket !== undefined)
    return <TwoStepForm ticket={ticket} back={undefined} onRestart={() => setTicket(undefined)} />;
  if (!token) {
    return (
      <SignInCard title={t('incompleteLink')} about={t('copyTheWholeLinkFrom')}>
        <Button component={Link} to="/sign-in">
          {t('signInWithPassword')}
        </Button>
      </SignInCard>
    );
  }
  return (
    <SignInCard title={t('welcomeToParley')} about={t('thisLinkSignsInThe')}>
      <SignInForm
        action={entering}
        submitLabel={t('openConsole')}
        footer={
          <Link to="/sign-in" search={{}}>
            {t('signInWithPassword')}
          </Link>
        }
      />
    </SignInCard>
  );
};
