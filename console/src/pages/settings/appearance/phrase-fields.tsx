import { Button, Collapse, ScrollArea, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useDeferredValue, useState } from 'react';
import { Dimmed } from '../../../design/dimmed.tsx';
import { t } from '../t.ts';

interface PhraseFieldsProps {
  /** Default texts of the language. */
  defaults: Record<string, string>;
  own: Record<string, string>;
  onChange(own: Record<string, string>): void;
}

/** An empty text falls back to the default. */
const withPhrase = (own: Record<string, string>, key: string, text: string): Record<string, string> => {
  const { [key]: _, ...others } = own;
  return text.trim() === '' ? others : { ...others, [key]: text };
};

export const PhraseFields = ({ defaults, own, onChange }: PhraseFieldsProps) => {
  const [isOpen, { toggle }] = useDisclosure(false);
  const [search, setSearch] = useState('');
  const searchText = useDeferredValue(search).trim().toLowerCase();
  const found = Object.entries(defaults).filter(([key, text]) =>
    `${text} ${own[key] ?? ''}`.toLowerCase().includes(searchText),
  );
  const count = Object.keys(own).length;
  return (
    <section aria-label={t('widgetTexts')}>
      <Button variant="default" size="xs" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? t('hideTexts') : count > 0 ? t('editTextsCount', { count }) : t('editTexts')}
      </Button>
      <Collapse expanded={isOpen}>
        <TextInput
          my="sm"
          aria-label={t('searchTexts')}
          placeholder={t('searchTexts')}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <ScrollArea.Autosize mah={360} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('texts') }}>
          <Stack gap="sm" pr="md">
            {found.map(([key, text]) => (
              <TextInput
                key={key}
                label={text}
                placeholder={text}
                maxLength={1000}
                value={own[key] ?? ''}
                onChange={({ currentTarget }) => onChange(withPhrase(own, key, currentTarget.value))}
              />
            ))}
            {found.length === 0 && <Dimmed>{t('noMatches')}</Dimmed>}
          </Stack>
        </ScrollArea.Autosize>
      </Collapse>
    </section>
  );
};
