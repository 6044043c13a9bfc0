import { ActionIcon, Popover, Stack, Switch, Text } from '@mantine/core';
import { Icon } from '../../design/icon.tsx';
import { beep } from '../../notify/beep.ts';
import { changeNotifySettings, useNotifySettings } from '../../notify/settings.ts';

const canNotify = 'Notification' in globalThis;

const setPopups = async (wanted: boolean): Promise<void> => {
  if (!wanted) return changeNotifySettings({ popups: false });
  const permission = await Notification.requestPermission();
  changeNotifySettings({ popups: permission === 'granted' });
};

export const NotifyMenu = () => {
  const { sound, popups } = useNotifySettings();
  const isRefused = canNotify && Notification.permission === 'denied';
  return (
    <Popover position="bottom-end" shadow="md" width={260} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Notifications">
          <Icon name="bell" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Switch
            label="Sound"
            checked={sound}
            onChange={({ currentTarget: { checked } }) => {
              changeNotifySettings({ sound: checked });
              if (checked) beep(740);
            }}
          />
          <Switch
            label="Notifications of the browser"
            checked={popups && canNotify && !isRefused}
            disabled={!canNotify || isRefused}
            onChange={({ currentTarget: { checked } }) => void setPopups(checked)}
          />
          {isRefused && (
            <Text size="xs" c="dimmed">
              This browser refuses them. Its settings for this page change that.
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
