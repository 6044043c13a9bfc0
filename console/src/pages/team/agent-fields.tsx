import { NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { Editing } from '../../editing/use-editing.ts';
import type { AgentDraft } from './agent-draft.ts';
import { GroupsField } from './groups-field.tsx';
import { ROLE_WORDS } from './words.ts';

const ROLES = (['normal', 'administrator'] as const).map((value) => ({ value, label: ROLE_WORDS[value] }));

export const AgentFields = ({ editing, isNew = false }: { editing: Editing<AgentDraft>; isNew?: boolean }) => {
  const { draft, change, text, fault } = editing;
  return (
    <Stack gap="md" maw={560}>
      {isNew && <TextInput label="E-mail address" type="email" required {...text('login')} />}
      <TextInput label="Name" description="Customers see it." required {...text('name')} />
      <TextInput label="Job title" {...text('job_title')} />
      {draft.permission !== 'owner' && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            Role
          </Text>
          <SegmentedControl
            aria-label="Role"
            data={ROLES}
            value={draft.permission}
            onChange={(permission) => change({ permission: permission as AgentDraft['permission'] })}
          />
        </div>
      )}
      <GroupsField value={draft.groups} onChange={(groups) => change({ groups })} error={fault('groups')} />
      <NumberInput
        label="Chats at once"
        description="So many are given to the agent at most; others wait."
        min={0}
        max={1000}
        allowDecimal={false}
        value={draft.max_chats_count}
        onChange={(value) => change({ max_chats_count: typeof value === 'number' ? value : Number.NaN })}
        error={fault('max_chats_count')}
      />
    </Stack>
  );
};
