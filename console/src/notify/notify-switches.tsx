import { Switch } from '@mantine/core';
import { beep } from '#browser/beep.ts';
import { Dimmed } from '../design/dimmed.tsx';
import { t } from '../i18n/t.ts';
import { changeNotifySettings, useNotifySettings, VOLUME } from './notify-settings.ts';

const canNotify = 'Notification' in globalThis;

const setPopups = async (wanted: boolean): Promise<void> => {
  if (!wanted) return changeNotifySettings({ popups: false });
  const permission = await Notification.requestPermission();
  changeNotifySettings({ popups: permission === 'granted' });
};

/** Notification settings of this browser. */
export const NotifySwitches = () => {
  const { sound, popups } = useNotifySettings();
  const isRefused = canNotify && Notification.permission === 'denied';
  return (
    <>
      <Switch
        label={t('soundForNewMessages')}
        checked={sound}
        onChange={({ currentTarget: { checked } }) => {
          changeNotifySettings({ sound: checked });
          if (checked) beep(VOLUME, 740);
        }}
      />
      <Switch
        label={t('browserNotifications')}
        checked={popups && canNotify && !isRefused}
        disabled={!canNotify || isRefused}
        onChange={({ currentTarget: { checked } }) => void setPopups(checked)}
      />
      {isRefused && <Dimmed size="xs">{t('notificationsAreBlockedAllowThem')}</Dimmed>}
    </>
  );
};
