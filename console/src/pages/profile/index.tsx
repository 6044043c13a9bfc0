import { Stack } from '@mantine/core';
import { Page } from '../../design/page.tsx';
import { Grants } from '../settings/apps/grants.tsx';
import { ApiKey } from './api-key.tsx';
import { ConsoleSettings } from './console-settings.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnProfile } from './own-profile.tsx';
import { SectionCard } from './section-card.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactor } from './two-factor.tsx';

export const ProfilePage = () => (
  <Page title="Profile and security">
    <Stack gap="md" maw={820}>
      <OwnProfile />
      <TwoFactor />
      <Sessions />
      <OwnPassword />
      <ApiKey />
      <SectionCard title="Apps that were let in">
        <Grants />
      </SectionCard>
      <ConsoleSettings />
    </Stack>
  </Page>
);
