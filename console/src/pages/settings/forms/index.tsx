import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getGroupForm } from '#contracts/configuration/forms.ts';
import { call } from '../../../api/call.ts';
import { FilterBar } from '../../../design/filter-bar.tsx';
import { Loaded } from '../../../design/states.tsx';
import { GroupSelect } from '../group-select.tsx';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import type { FormType } from './form-draft.ts';
import { FormEditor, formKey } from './form-editor.tsx';

const TYPES: { value: FormType; label: string }[] = [
  { value: 'prechat', label: t('preChat') },
  { value: 'postchat', label: t('postChat') },
  { value: 'ticket', label: t('offline') },
];

/** `forms/prechat-2` is the pre-chat form of group 2. */
const readId = (id = ''): { type: FormType; group: number } => {
  const [type, group] = id.split('-');
  return { type: TYPES.find(({ value }) => value === type)?.value ?? 'prechat', group: Number(group) || 0 };
};

export const FormsSection = ({ id }: { id?: string | undefined }) => {
  const navigate = useNavigate();
  const { type, group } = readId(id);
  const go = (to: { type: FormType; group: number }) =>
    void navigate({ to: '/settings/$', params: { _splat: `forms/${to.type}-${to.group}` } });
  const query = useQuery({
    queryKey: formKey(group, type),
    queryFn: () => call(getGroupForm, { body: { group_id: group, type } }),
  });
  return (
    <SectionPage of="forms">
      <FilterBar>
        <GroupSelect value={group} onGroup={(next) => go({ type, group: next })} />
        <SegmentedControl
          aria-label={t('form')}
          data={TYPES}
          value={type}
          onChange={(next) => go({ type: next as FormType, group })}
        />
      </FilterBar>
      <Loaded query={query}>
        {(setting) => <FormEditor key={`${group} ${type}`} group={group} type={type} setting={setting} />}
      </Loaded>
    </SectionPage>
  );
};
