import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../design/states.tsx';
import { t } from '../i18n/t.ts';

export const NotFound = () => (
  <main>
    <Empty
      title={t('pageNotFound')}
      action={
        <Button component={Link} to="/chats" mt="xs">
          {t('goToChats')}
        </Button>
      }
    >
      {t('theLinkMayBeOutdated')}
    </Empty>
  </main>
);
