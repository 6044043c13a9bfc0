import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of names and values; empty values are left out. */
export const Facts = ({ facts }: { facts: [name: string, value: ReactNode][] }) => (
  <dl className={classes.facts}>
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: people's own fields may have the same name.
        <div key={`${index} ${name}`}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
  </dl>
);
