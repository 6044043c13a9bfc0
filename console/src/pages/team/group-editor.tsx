import { MultiSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createGroup, deleteGroup, type Group, updateGroup } from '#contracts/chat-ops/groups.ts';
import { getGroupRouting, updateGroupRouting } from '#contracts/configuration/routing.ts';
import { call, callRest } from '../../api/call.ts';
import { agentsQuery, groupsQuery } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { Dimmed } from '../../design/dimmed.tsx';
import { EditForm } from '../../editing/edit-form.tsx';
import { collectErrors, required } from '../../editing/field-errors.ts';
import { useEditing } from '../../editing/use-editing.ts';
import { LANGUAGES, languageName } from './labels.ts';
import { t } from './t.ts';

const BUILT_IN = 0;

export interface GroupDraft {
  name: string;
  language: string;
  agents: string[];
  fallback_group_id: number | null;
  bots_first: boolean;
}

export const NEW_GROUP: GroupDraft = {
  name: '',
  language: 'en',
  agents: [],
  fallback_group_id: null,
  bots_first: false,
};

/** Includes a language that was set through the API. */
const languagesWith = (language: string) =>
  [...new Set([...LANGUAGES, language])].map((code) => ({ value: code, label: languageName(code) }));

const saveGroup = async (id: number | undefined, draft: GroupDraft): Promise<void> => {
  const { name, language, agents, fallback_group_id, bots_first } = draft;
  const body = { name: name.trim(), language, agents };
  let group = id;
  if (group === undefined) group = (await callRest(createGroup, { body })).id;
  else if (group !== BUILT_IN) await callRest(updateGroup, { params: { group_id: group }, body });
  await call(updateGroupRouting, { body: { group_id: group, fallback_group_id, bots_first } });
};

export const routingKey = (id: number) => [...keys.groups, id, 'routing'] as const;

export const useGroupRouting = (id: number) =>
  useQuery({
    queryKey: routingKey(id),
    queryFn: () => call(getGroupRouting, { body: { group_id: id } }),
  });

interface GroupEditorProps {
  /** Absent for a new group. */
  group?: Group;
  saved: GroupDraft;
}

export const GroupEditor = ({ group, saved }: GroupEditorProps) => {
  const navigate = useNavigate();
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: groups = [] } = useQuery(groupsQuery);
  const isBuiltIn = group?.id === BUILT_IN;
  const leave = () => navigate({ to: '/team/$', params: { _splat: 'groups' } });
  const editing = useEditing({
    saved,
    check: ({ name }) => collectErrors({ name: required(name) }),
    save: (draft) => saveGroup(group?.id, draft),
    refetch: [keys.agents, keys.groups],
    notice: ({ name }) => (group ? t('saved') : t('groupNameCreated', { name: name.trim() })),
    onSaved: () => !group && leave(),
  });
  const remove = async (id: number): Promise<void> => {
    await callRest(deleteGroup, { params: { group_id: id } });
    editing.reset();
    await leave();
  };
  const { draft, change, text, select, flag, errorFor } = editing;
  return (
    <EditForm
      editing={editing}
      isNew={!group}
      saveLabel={group ? t('save') : t('createGroup')}
      aside={
        group &&
        !isBuiltIn && (
          <ConfirmButton
            label={t('deleteGroup')}
            question={t('deleteName', { name: group.name })}
            onConfirm={() => remove(group.id)}
            refetch={[keys.agents, keys.groups]}
            notice={t('groupDeleted')}
          >
            {t('itsOngoingChatsBecomeAvailable')}
          </ConfirmButton>
        )
      }
    >
      <Stack gap="md" maw={560}>
        {isBuiltIn ? (
          <Dimmed>{t('allAgentsAreInThis')}</Dimmed>
        ) : (
          <>
            <TextInput label={t('name')} required {...text('name')} />
            <Select
              label={t('language')}
              description={t('languageOfTheChatWidget')}
              data={languagesWith(draft.language)}
              {...select('language')}
            />
            <MultiSelect
              label={t('members')}
              placeholder={draft.agents.length === 0 ? t('none') : ''}
              searchable
              data={agents.map(({ login, name }) => ({ value: login, label: name }))}
              value={draft.agents}
              onChange={(members) => change({ agents: members })}
              error={errorFor('agents')}
            />
          </>
        )}
        <Select
          label={t('ifTheGroupIsOffline')}
          description={t('whereItsChatsGo')}
          clearable
          placeholder={t('customersLeaveAMessage')}
          data={groups
            .filter(({ id }) => id !== group?.id)
            .map(({ id, name }) => ({ value: String(id), label: t('transferToGroup', { group: name }) }))}
          value={draft.fallback_group_id === null ? null : String(draft.fallback_group_id)}
          onChange={(id) => change({ fallback_group_id: id === null ? null : Number(id) })}
          error={errorFor('fallback_group_id')}
        />
        <Switch label={t('botsFirst')} {...flag('bots_first')} />
      </Stack>
    </EditForm>
  );
};
