import { Drawer, NavLink, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Icon } from '../design/icon.tsx';
import { Person } from '../design/person.tsx';
import { t } from '../i18n/t.ts';
import { destinations } from './destinations.ts';
import { SchemeSwitch, StatusSwitch } from './profile-menu.tsx';
import { leaveConsole } from './sign-out.ts';

interface PhoneDrawerProps {
  opened: boolean;
  onClose(): void;
}

/** The destinations that have no room in the bottom bar, and the profile. */
export const PhoneDrawer = ({ opened, onClose }: PhoneDrawerProps) => {
  const { name, login, avatar } = useSession();
  return (
    <Drawer opened={opened} onClose={onClose} position="bottom" title={t('more')} size="auto">
      <Stack gap="sm">
        <Person name={name} image={avatar} detail={login} />
        <StatusSwitch />
        <SchemeSwitch />
        <div>
          {destinations
            .filter(({ onPhone }) => !onPhone)
            .map(({ to, label, icon }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                leftSection={<Icon name={icon} />}
                onClick={onClose}
              />
            ))}
          <NavLink component={Link} to="/profile" label={t('profileAndSecurity')} onClick={onClose} />
          <NavLink component="button" label={t('signOut')} onClick={() => void leaveConsole()} />
        </div>
      </Stack>
    </Drawer>
  );
};
