import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signInWithLink } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { enterConsole, explain } from './enter.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';
import { SecondStep } from './second-step.tsx';
import { t } from './t.ts';

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
  if (ticket !== undefined) return <SecondStep ticket={ticket} back={undefined} onAgain={() => setTicket(undefined)} />;
  if (!token) {
    return (
      <Frame title={t('incompleteLink')} about={t('copyTheWholeLinkFrom')}>
        <Button component={Link} to="/sign-in">
          {t('signInWithPassword')}
        </Button>
      </Frame>
    );
  }
  return (
    <Frame title={t('welcomeToParley')} about={t('thisLinkSignsInThe')}>
      <Form
        submitLabel={t('openConsole')}
        isBusy={entering.isPending}
        failure={entering.error ? explain(entering.error, t('thisLinkHasExpiredOr')) : undefined}
        onSubmit={() => entering.mutate()}
        footer={
          <Link to="/sign-in" search={{}}>
            {t('signInWithPassword')}
          </Link>
        }
      >
        {null}
      </Form>
    </Frame>
  );
};
