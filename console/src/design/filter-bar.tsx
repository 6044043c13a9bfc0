import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../i18n/t.ts';

interface FilterBarProps {
  children: ReactNode;
  /** Shown while a filter is active. */
  onClear?: (() => void) | undefined;
  /** On the right, for example a count or an export button. */
  aside?: ReactNode;
}

/** The controls above a list. */
export const FilterBar = ({ children, onClear, aside }: FilterBarProps) => (
  <Group mb="md" gap="sm" justify="space-between" align="flex-end" role="search">
    <Group gap="sm" align="flex-end">
      {children}
      {onClear && (
        <Button variant="subtle" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      )}
    </Group>
    {aside && <Group gap="sm">{aside}</Group>}
  </Group>
);
