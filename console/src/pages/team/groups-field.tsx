import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { groupsQuery } from '../../api/people.ts';
import { t } from './t.ts';

interface GroupsFieldProps {
  value: number[];
  onChange(groups: number[]): void;
  error?: string | undefined;
}

/** The built-in group has all agents, so it is not offered. */
export const GroupsField = ({ value, onChange, error }: GroupsFieldProps) => {
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <MultiSelect
      label={t('groups')}
      description={t('theAgentGetsChatsFrom')}
      placeholder={value.length === 0 ? t('none') : ''}
      searchable
      data={groups.filter(({ id }) => id !== 0).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      error={error}
    />
  );
};
