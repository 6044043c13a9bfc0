import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import classes from './team-tabs.module.css';

const TABS = [
  { path: '', label: 'Agents' },
  { path: 'groups', label: 'Groups' },
  { path: 'bots', label: 'Bots' },
];

/** Addresses of their own, so they are links. */
export const TeamTabs = ({ current, withBots }: { current: string; withBots: boolean }) => (
  <Group component="nav" aria-label="Team" gap={4} mb="md" className={classes.tabs}>
    {TABS.filter(({ path }) => withBots || path !== 'bots').map(({ path, label }) => (
      <Link
        key={path}
        to="/team/$"
        params={{ _splat: path }}
        className={classes.tab}
        aria-current={current === path ? 'page' : undefined}
      >
        {label}
      </Link>
    ))}
  </Group>
);
