import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The controls above a list. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <Group mb="md" gap="sm" align="flex-end" role="search">
    {children}
  </Group>
);
