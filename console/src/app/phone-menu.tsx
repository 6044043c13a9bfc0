import { Drawer, NavLink, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Icon } from '../design/icon.tsx';
import { Person } from '../design/person.tsx';
import { destinations } from './destinations.ts';
import { SchemeSwitch, StatusSwitch } from './profile-menu.tsx';
import { leaveConsole } from './sign-out.ts';

/** What has no place in the bar at the foot of a phone. */
export const PhoneMenu = ({ className }: { className: string }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { name, login, avatar } = useSession();
  return (
    <>
      <button type="button" className={className} onClick={open}>
        <Icon name="menu" />
        <span>More</span>
      </button>
      <Drawer opened={isOpen} onClose={close} position="bottom" title="More" size="auto">
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
                  onClick={close}
                />
              ))}
            <NavLink component={Link} to="/profile" label="Profile and security" onClick={close} />
            <NavLink component="button" label="Sign out" onClick={() => void leaveConsole()} />
          </div>
        </Stack>
      </Drawer>
    </>
  );
};
