import { Anchor, Group, Text } from '@mantine/core';
import { Icon } from './icon.tsx';
import { safeLink } from './safe-url.ts';

interface NamedFile {
  name: string;
  url: string;
  size: number;
}

const KILO = 1024;

/** `812 B`, `3.4 KB`, `12 MB`. */
export const formatSize = (bytes: number): string => {
  if (bytes < KILO) return `${bytes} B`;
  const [value, unit] = bytes < KILO * KILO ? [bytes / KILO, 'KB'] : [bytes / KILO / KILO, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};

/** Files that came along. */
export const FileLinks = ({ files }: { files: NamedFile[] }) =>
  files.length === 0 ? null : (
    <Group gap="md" mt="xs">
      {files.map(({ name, url, size }) => (
        <Group key={url} gap={4} wrap="nowrap" maw="100%">
          <Icon name="file" size={16} />
          <Anchor size="sm" href={safeLink(url)} target="_blank" rel="noopener noreferrer" truncate>
            {name}
          </Anchor>
          <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
            {formatSize(size)}
          </Text>
        </Group>
      ))}
    </Group>
  );
