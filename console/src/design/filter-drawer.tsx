import { Button, Drawer, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface FilterDrawerProps {
  /** How many filters are set. */
  count: number;
  onClear(): void;
  children: ReactNode;
}

/** Many filters beside a list that has no room for them. */
export const FilterDrawer = ({ count, onClear, children }: FilterDrawerProps) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant={count > 0 ? 'light' : 'default'} onClick={open} aria-haspopup="dialog">
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={close}
        title="Filters"
        position="right"
        size="sm"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack gap="sm">
          {children}
          <Group justify="space-between" mt="sm">
            <Button variant="default" onClick={onClear} disabled={count === 0}>
              Clear filters
            </Button>
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      </Drawer>
    </>
  );
};
