import { Anchor, Group } from '@mantine/core';
import { locale } from '../i18n/language.ts';
import { t } from '../i18n/t.ts';
import { Dimmed } from './dimmed.tsx';
import { Icon } from './icon.tsx';
import { safeLink } from './safe-url.ts';

interface NamedFile {
  name: string;
  url: string;
  size: number;
}

const KILO = 1024;
const amount = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 });

/** `812 B`, `3.4 KB`, `12 MB`. */
export const formatSize = (bytes: number): string => {
  if (bytes < KILO) return t('size.bytes', { size: bytes });
  if (bytes < KILO * KILO) return t('size.kilobytes', { size: amount.format(bytes / KILO) });
  return t('size.megabytes', { size: amount.format(bytes / KILO / KILO) });
};

/** Links to attached files. */
export const FileLinks = ({ files }: { files: NamedFile[] }) =>
  files.length === 0 ? null : (
    <Group gap="md" mt="xs">
      {files.map(({ name, url, size }) => (
        <Group key={url} gap={4} wrap="nowrap" maw="100%">
          <Icon name="file" size={16} />
          <Anchor size="sm" href={safeLink(url)} target="_blank" rel="noopener noreferrer" truncate>
            {name}
          </Anchor>
          <Dimmed size="xs" style={{ flex: 'none' }}>
            {formatSize(size)}
          </Dimmed>
        </Group>
      ))}
    </Group>
  );
