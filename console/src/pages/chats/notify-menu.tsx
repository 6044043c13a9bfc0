import { ActionIcon, Popover, Stack } from '@mantine/core';
import { Icon } from '../../design/icon.tsx';
import { NotifySwitches } from '../../notify/notify-switches.tsx';
import { t } from './t.ts';

export const NotifyMenu = () => (
  <Popover position="bottom-end" shadow="md" width={260} trapFocus>
    <Popover.Target>
      <ActionIcon variant="subtle" color="gray" aria-label={t('notifications')}>
        <Icon name="bell" />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown>
      <Stack gap="sm">
        <NotifySwitches />
      </Stack>
    </Popover.Dropdown>
  </Popover>
);
