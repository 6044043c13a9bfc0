import { Stack, Text } from '@mantine/core';
import { SchemeSwitch } from '../../app/profile-menu.tsx';
import { NotifySwitches } from '../../notify/notify-switches.tsx';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

/** Settings stored in this browser. */
export const ConsoleSettings = () => (
  <SectionCard title={t('thisBrowser')} about={t('theseSettingsApplyToThis')}>
    <Stack gap="sm" maw={360}>
      <NotifySwitches />
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('appearance')}
        </Text>
        <SchemeSwitch />
      </div>
    </Stack>
  </SectionCard>
);
