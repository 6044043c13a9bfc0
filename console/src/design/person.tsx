import { Group, Avatar as MantineAvatar, Text } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { safeImage } from './safe-url.ts';

interface AvatarProps {
  name: string;
  image?: string | undefined;
  size?: number | undefined;
}

const initials = (name: string): string =>
  name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('');

/** A picture or the initials. It always appears next to a name, so screen readers skip it. */
export const Avatar = memo(({ name, image, size = 34 }: AvatarProps) => (
  <MantineAvatar src={safeImage(image) ?? null} size={size} radius="xl" color="accent" alt="" aria-hidden>
    {initials(name) || '?'}
  </MantineAvatar>
));

interface PersonProps extends AvatarProps {
  /** The second line. */
  detail?: ReactNode;
}

export const Person = memo(({ name, image, size, detail }: PersonProps) => (
  <Group gap="sm" wrap="nowrap" miw={0}>
    <Avatar name={name} image={image} size={size} />
    <div style={{ minWidth: 0 }}>
      <Text size="sm" fw={550} truncate>
        {name}
      </Text>
      {detail && (
        <Text size="xs" c="dimmed" truncate component="div">
          {detail}
        </Text>
      )}
    </div>
  </Group>
));
