import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { groupsQuery } from '../../api/people.ts';
import { t } from './t.ts';

interface GroupSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  value: number;
  onGroup(group: number): void;
}

export const GroupSelect = ({ value, onGroup, label = t('group'), ...rest }: GroupSelectProps) => {
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <Select
      {...rest}
      label={label}
      allowDeselect={false}
      data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(value)}
      onChange={(id) => id !== null && onGroup(Number(id))}
    />
  );
};
