import {
  Indicator,
  NavLink,
  Popover,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { Avatar, Person } from '../design/person.tsx';
import { leaveConsole } from './sign-out.ts';
import { useOwnStatus } from './status.ts';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

export const StatusSwitch = () => {
  const { status, setStatus } = useOwnStatus();
  return (
    <Switch
      label="Accept chats"
      checked={status === 'accepting_chats'}
      onChange={({ currentTarget }) => setStatus(currentTarget.checked ? 'accepting_chats' : 'not_accepting_chats')}
    />
  );
};

export const SchemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Appearance"
      size="xs"
      fullWidth
      data={SCHEMES}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
    />
  );
};

export const ProfileMenu = () => {
  const { name, login, avatar, organization } = useSession();
  const { status } = useOwnStatus();
  const [isOpen, setOpen] = useState(false);
  const accepts = status === 'accepting_chats';
  return (
    <Popover opened={isOpen} onChange={setOpen} position="right-end" width={260} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton onClick={() => setOpen(!isOpen)}>
          <VisuallyHidden>
            {name}, {accepts ? 'accepting chats' : 'not accepting chats'}: profile menu
          </VisuallyHidden>
          <Indicator
            color={accepts ? 'var(--good)' : 'var(--quiet)'}
            size={11}
            offset={5}
            withBorder
            position="bottom-end"
          >
            <Avatar name={name} image={avatar} size={40} />
          </Indicator>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Profile menu">
        <Stack gap="sm">
          <Text size="xs" c="dimmed" truncate>
            {organization.name}
          </Text>
          <Person name={name} image={avatar} detail={login} />
          <StatusSwitch />
          <SchemeSwitch />
          <div>
            <NavLink component={Link} to="/profile" label="Profile and security" onClick={() => setOpen(false)} />
            <NavLink component="button" label="Sign out" onClick={() => void leaveConsole()} />
          </div>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
