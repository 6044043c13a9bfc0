import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from '../../design/dimmed.tsx';
import { useTitle } from '../../design/page.tsx';
import classes from './sign-in-card.module.css';

interface SignInCardProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

/** The card layout of all pages before sign-in. */
export const SignInCard = ({ title, about, children }: SignInCardProps) => {
  useTitle(title);
  return (
    <main className={classes.page}>
      <Paper className={classes.card} withBorder shadow="sm">
        <Stack gap="md">
          <div>
            <img src="/console/icon.svg" alt="" width={36} height={36} />
            <Title order={1} size="h2" mt="xs">
              {title}
            </Title>
            {about && <Dimmed mt={4}>{about}</Dimmed>}
          </div>
          {children}
        </Stack>
      </Paper>
    </main>
  );
};
