import { MultiSelect, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { agentsQuery, groupsQuery, tagsQuery } from '../api/people.ts';
import { t } from '../i18n/t.ts';
import { joinValues, splitValues } from './filter-values.ts';

interface Option {
  value: string;
  label: string;
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
  /** Label of the empty choice. */
  none?: string;
}

/** A select with an empty choice. The native element works with keyboard, touch and screen readers. */
export const Choice = ({ label, value, onChange, none = t('any'), options }: ChoiceProps & { options: Option[] }) => (
  <NativeSelect
    label={label}
    value={value ?? ''}
    data={[{ value: '', label: none }, ...options]}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
  />
);

interface TextChoiceProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** A text or, with `type="date"`, a day. */
export const TextChoice = ({ value = '', onChange, ...input }: TextChoiceProps) => (
  <TextInput {...input} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)} />
);

export const AgentChoice = ({ more = [], ...choice }: ChoiceProps & { more?: Option[] }) => {
  const { data = [] } = useQuery(agentsQuery);
  const agents = data.map(({ login, name }) => ({ value: login, label: name }));
  return <Choice {...choice} options={[...more, ...agents]} />;
};

export const GroupChoice = (choice: ChoiceProps) => {
  const { data = [] } = useQuery(groupsQuery);
  return <Choice {...choice} options={data.map(({ id, name }) => ({ value: String(id), label: name }))} />;
};

/** Distinct tag names; several groups may have a tag with the same name. */
export const useTagNames = (): string[] => {
  const { data = [] } = useQuery(tagsQuery);
  return [...new Set(data.map(({ name }) => name))].sort();
};

export const TagChoice = (choice: ChoiceProps) => (
  <Choice {...choice} options={useTagNames().map((name) => ({ value: name, label: name }))} />
);

/** Several tags, joined as in the URL. */
export const TagsChoice = ({ label, value, onChange }: ChoiceProps) => {
  const tags = splitValues(value);
  return (
    <MultiSelect
      label={label}
      data={[...new Set([...useTagNames(), ...tags])]}
      value={tags}
      onChange={(next) => onChange(joinValues(next))}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('clearField', { field: label }) }}
      placeholder={tags.length === 0 ? t('any') : undefined}
    />
  );
};

const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));

export const ZoneChoice = (choice: Omit<ChoiceProps, 'none' | 'label'>) => (
  <Choice {...choice} label={t('timeZone')} none={t('accountTimeZone')} options={ZONES} />
);

export const YES_NO: Option[] = [
  { value: '1', label: t('yes') },
  { value: '0', label: t('no') },
];
