import { Stack } from '@mantine/core';
import { Page } from '../../design/page.tsx';
import { Grants } from '../settings/apps/grants.tsx';
import { ApiKey } from './api-key.tsx';
import { ConsoleSettings } from './console-settings.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnProfile } from './own-profile.tsx';
import { SectionCard } from './section-card.tsx';
import { Sessions } from './sessions.tsx';
import { t } from './t.ts';
import { TwoFactor } from './two-factor.tsx';

export const ProfilePage = () => (
  <Page title={t('profileAndSecurity')}>
    <Stack gap="md" maw={820}>
      <OwnProfile />
      <TwoFactor />
      <Sessions />
      <OwnPassword />
      <ApiKey />
      <SectionCard title={t('connectedApps')}>
        <Grants />
      </SectionCard>
      <ConsoleSettings />
    </Stack>
  </Page>
);
