import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

const STYLE = { variant: 'subtle', color: 'gray' } as const;

interface IconButtonProps extends ActionIconProps, Omit<ComponentProps<'button'>, keyof ActionIconProps> {
  icon: IconName;
  iconSize?: number;
  label: string;
}

export const IconButton = ({ icon, iconSize, label, ...button }: IconButtonProps) => (
  <ActionIcon {...STYLE} aria-label={label} {...button}>
    <Icon name={icon} {...(iconSize ? { size: iconSize } : {})} />
  </ActionIcon>
);

/** Removes an entry of a list that is being edited. */
export const RemoveButton = ({ label, onClick }: { label: string; onClick(): void }) => (
  <IconButton icon="close" iconSize={16} size="lg" label={label} onClick={onClick} />
);

/** Closes an opened item: a link back to its list, with the same filters. */
export const CloseLink = ({ to, label }: { to: '/archives' | '/tickets' | '/visitors'; label: string }) => (
  <ActionIcon {...STYLE} aria-label={label} renderRoot={(props) => <Link to={to} search={true as never} {...props} />}>
    <Icon name="close" />
  </ActionIcon>
);
