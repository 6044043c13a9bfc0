import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from './t.ts';
import classes from './team-tabs.module.css';

const TABS = [
  { path: '', label: t('agents') },
  { path: 'groups', label: t('groups') },
  { path: 'bots', label: t('bots') },
];

/** Tabs are links because each has its own URL. */
export const TeamTabs = ({ current, withBots }: { current: string; withBots: boolean }) => (
  <Group component="nav" aria-label={t('team')} gap={4} mb="md" className={classes.tabs}>
    {TABS.filter(({ path }) => withBots || path !== 'bots').map(({ path, label }) => (
      <Link
        key={path}
        to="/team/$"
        params={{ _splat: path }}
        className={classes.tab}
        activeOptions={{ exact: true }}
        aria-current={current === path ? 'page' : undefined}
      >
        {label}
      </Link>
    ))}
  </Group>
);
