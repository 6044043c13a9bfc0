import { Stack, Switch, Text } from '@mantine/core';
import { SchemeSwitch } from '../../app/profile-menu.tsx';
import { beep } from '../../notify/beep.ts';
import { changeNotifySettings, useNotifySettings } from '../../notify/settings.ts';
import { SectionCard } from './section-card.tsx';

const canNotify = 'Notification' in globalThis;

const setPopups = async (wanted: boolean): Promise<void> => {
  if (!wanted) return changeNotifySettings({ popups: false });
  changeNotifySettings({ popups: (await Notification.requestPermission()) === 'granted' });
};

/** Kept in this browser. */
export const ConsoleSettings = () => {
  const { sound, popups } = useNotifySettings();
  const isRefused = canNotify && Notification.permission === 'denied';
  return (
    <SectionCard title="This console" about="For this browser alone.">
      <Stack gap="sm" maw={360}>
        <Switch
          label="Sound for new messages"
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
        <div>
          <Text size="sm" fw={600} mb={4}>
            Appearance
          </Text>
          <SchemeSwitch />
        </div>
      </Stack>
    </SectionCard>
  );
};
