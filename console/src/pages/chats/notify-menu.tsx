import { Popover, Stack } from '@mantine/core';
import { IconButton } from '../../design/icon-button.tsx';
import { NotifySwitches } from '../../notify/notify-switches.tsx';
import { t } from './t.ts';

export const NotifyMenu = () => (
  <Popover position="bottom-end" shadow="md" width={260} trapFocus>
    <Popover.Target>
      <IconButton icon="bell" label={t('notifications')} />
    </Popover.Target>
    <Popover.Dropdown>
      <Stack gap="sm">
        <NotifySwitches />
      </Stack>
    </Popover.Dropdown>
  </Popover>
);
