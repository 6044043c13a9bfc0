import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, useSession } from '../api/session.ts';
import { Page } from '../design/page.tsx';
import { Empty } from '../design/states.tsx';

/** What only the owner and administrators change is not shown half to others. */
export const ForAdministrators = ({ title, children }: { title: string; children: ReactNode }) => {
  if (isAdministrator(useSession())) return children;
  return (
    <Page title={title}>
      <Empty
        title="For administrators"
        action={
          <Button component={Link} to="/profile" variant="default">
            Go to your profile
          </Button>
        }
      >
        The owner and the administrators of your team set this up. What is yours is on your profile.
      </Empty>
    </Page>
  );
};
