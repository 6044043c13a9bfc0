import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { t } from '../i18n/t.ts';

interface FilterDrawerProps {
  /** Number of active filters. */
  count: number;
  onClear(): void;
  children: ReactNode;
}

/** A drawer for filters that do not fit above the list. */
export const FilterDrawer = ({ count, onClear, children }: FilterDrawerProps) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant={count > 0 ? 'light' : 'default'} onClick={open} aria-haspopup="dialog">
        {count > 0 ? t('filtersCount', { count }) : t('filters')}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        title={t('filters')}
        position="right"
        size="sm"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Stack gap="sm">
          {children}
          <Group justify="space-between" mt="sm">
            <Button variant="default" onClick={onClear} disabled={count === 0}>
              {t('clearFilters')}
            </Button>
            <Button onClick={close}>{t('done')}</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  );
};
