import {
  Indicator,
  NavLink,
  Popover,
  SegmentedControl,
  Stack,
  Switch,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { Dimmed } from '../design/dimmed.tsx';
import { Avatar, Person } from '../design/person.tsx';
import { t } from '../i18n/t.ts';
import { leaveConsole } from './sign-out.ts';
import { useOwnStatus } from './use-own-status.ts';

const SCHEMES = [
  { value: 'light', label: t('light') },
  { value: 'dark', label: t('dark') },
  { value: 'auto', label: t('system') },
];

export const StatusSwitch = () => {
  const { status, setStatus } = useOwnStatus();
  return (
    <Switch
      label={t('acceptChats')}
      checked={status === 'accepting_chats'}
      onChange={({ currentTarget }) => setStatus(currentTarget.checked ? 'accepting_chats' : 'not_accepting_chats')}
    />
  );
};

export const SchemeSwitch = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={t('appearance')}
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
            {accepts ? t('profileMenuAccepting', { name }) : t('profileMenuNotAccepting', { name })}
          </VisuallyHidden>
          <Indicator
            color={accepts ? 'var(--success)' : 'var(--text-muted)'}
            size={11}
            offset={5}
            withBorder
            position="bottom-end"
          >
            <Avatar name={name} image={avatar} size={40} />
          </Indicator>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('profileMenu')}>
        <Stack gap="sm">
          <Dimmed size="xs" truncate>
            {organization.name}
          </Dimmed>
          <Person name={name} image={avatar} detail={login} />
          <StatusSwitch />
          <SchemeSwitch />
          <div>
            <NavLink component={Link} to="/profile" label={t('profileAndSecurity')} onClick={() => setOpen(false)} />
            <NavLink component="button" label={t('signOut')} onClick={() => void leaveConsole()} />
          </div>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
