import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signInWithLink } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeSignInError, enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { Form } from './sign-in-form.tsx';
import { t } from './t.ts';
import { TwoStepForm } from './two-step-form.tsx';

/** Signs in on click, not on load: link scanners would use up the one-time link. */
export const FirstRunPage = () => {
  const { token } = useSearch({ from: '/first-run' });
  const [ticket, setTicket] = useState<string>();
  const entering = useMutation({
    mutationFn: async () => {
      const answer = await call(signInWithLink, { body: { token: token ?? '' } });
      if ('ticket' in answer) setTicket(answer.ticket);
      else await enterConsole(undefined);
    },
    onError: () => {},
  });
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
      <Form
        submitLabel={t('openConsole')}
        isBusy={entering.isPending}
        failure={entering.error ? describeSignInError(entering.error, t('thisLinkHasExpiredOr')) : undefined}
        onSubmit={() => entering.mutate()}
        footer={
          <Link to="/sign-in" search={{}}>
            {t('signInWithPassword')}
          </Link>
        }
      >
        {null}
      </Form>
    </SignInCard>
  );
};
