import {
  Indicator,
  Menu,
  SegmentedControl,
  Switch,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
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
  const accepts = status === 'accepting_chats';
  return (
    <Menu position="right-end" width={260} shadow="md">
      <Menu.Target>
        <UnstyledButton>
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
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="xs" c="dimmed" px="sm" pt="xs" truncate>
          {organization.name}
        </Text>
        <div style={{ padding: '0.5rem 0.75rem' }}>
          <Person name={name} image={avatar} detail={login} />
        </div>
        <div style={{ padding: '0.5rem 0.75rem' }}>
          <StatusSwitch />
        </div>
        <div style={{ padding: '0.25rem 0.75rem 0.5rem' }}>
          <SchemeSwitch />
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile">
          Profile and security
        </Menu.Item>
        <Menu.Item onClick={() => void leaveConsole()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
