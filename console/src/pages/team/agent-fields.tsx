import { NumberInput, Stack, TextInput } from '@mantine/core';
import { Segments } from '../../design/segments.tsx';
import type { Editing } from '../../editing/use-editing.ts';
import type { AgentDraft } from './agent-draft.ts';
import { GroupsField } from './groups-field.tsx';
import { ROLE_LABELS } from './labels.ts';
import { t } from './t.ts';

const ROLES = (['normal', 'administrator'] as const).map((value) => ({ value, label: ROLE_LABELS[value] }));

export const AgentFields = ({ editing, isNew = false }: { editing: Editing<AgentDraft>; isNew?: boolean }) => {
  const { draft, change, text, number, errorFor } = editing;
  return (
    <Stack gap="md" maw={560}>
      {isNew && <TextInput label={t('email')} type="email" required {...text('login')} />}
      <TextInput label={t('name')} description={t('visibleToCustomers')} required {...text('name')} />
      <TextInput label={t('jobTitle')} {...text('job_title')} />
      {draft.permission !== 'owner' && (
        <Segments
          label={t('role')}
          data={ROLES}
          value={draft.permission}
          onChange={(permission) => change({ permission })}
        />
      )}
      <GroupsField value={draft.groups} onChange={(groups) => change({ groups })} error={errorFor('groups')} />
      <NumberInput
        label={t('maxConcurrentChats')}
        description={t('whenTheAgentReachesThis')}
        min={0}
        max={1000}
        allowDecimal={false}
        {...number('max_chats_count')}
      />
    </Stack>
  );
};
