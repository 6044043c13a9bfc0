import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, useSession } from '../api/session.ts';
import { Page } from '../design/page.tsx';
import { Empty } from '../design/states.tsx';
import { t } from '../i18n/t.ts';

/** Shows its content to the owner and administrators only. */
export const ForAdministrators = ({ title, children }: { title: string; children: ReactNode }) => {
  if (isAdministrator(useSession())) return children;
  return (
    <Page title={title}>
      <Empty
        title={t('administratorsOnly')}
        action={
          <Button component={Link} to="/profile" variant="default">
            {t('goToProfile')}
          </Button>
        }
      >
        {t('onlyTheOwnerAndAdministrators')}
      </Empty>
    </Page>
  );
};
