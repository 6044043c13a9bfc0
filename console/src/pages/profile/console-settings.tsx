import { Stack, Text } from '@mantine/core';
import { SchemeSwitch } from '../../app/profile-menu.tsx';
import { NotifySwitches } from '../../notify/notify-switches.tsx';
import { SectionCard } from './section-card.tsx';

/** Kept in this browser. */
export const ConsoleSettings = () => (
  <SectionCard title="This console" about="For this browser alone.">
    <Stack gap="sm" maw={360}>
      <NotifySwitches />
      <div>
        <Text size="sm" fw={600} mb={4}>
          Appearance
        </Text>
        <SchemeSwitch />
      </div>
    </Stack>
  </SectionCard>
);
