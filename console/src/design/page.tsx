import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** Subtitle. */
  about?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  /** The content fills the height and scrolls by itself; otherwise the whole page scrolls. */
  fill?: boolean;
  children: ReactNode;
}

export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
};

/** The frame of every page except Chats: heading, actions and content. */
export const Page = ({ title, about, actions, fill = false, children }: PageProps) => {
  useTitle(title);
  return (
    <Box className={classes.page} data-fill={fill || undefined}>
      <Group className={classes.head} justify="space-between" align="flex-start" gap="sm">
        <div>
          <Title order={1} size="h2">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm" mt={2}>
              {about}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <div className={classes.body}>{children}</div>
    </Box>
  );
};
