import { Grid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { createGreeting, deleteGreeting, type Greeting, updateGreeting } from '#contracts/chat-ops/greetings.ts';
import { callRest } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { GroupSelect } from '../group-select.tsx';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';
import { checkGreeting, type GreetingDraft, newGreeting, readGreeting, writeGreeting } from './greeting-draft.ts';
import { GreetingPreview } from './greeting-preview.tsx';
import { RuleBuilder } from './rule-builder.tsx';

export const greetingsKey = ['greetings'] as const;

const saveGreeting = (draft: GreetingDraft, id: number | undefined): Promise<unknown> =>
  id === undefined
    ? callRest(createGreeting, { body: { ...writeGreeting(draft), group: draft.group } })
    : callRest(updateGreeting, {
        params: { greeting_id: id },
        body: { ...writeGreeting(draft), active: draft.active ? 1 : 0 },
      });

export const GreetingEditor = ({ greeting }: { greeting?: Greeting | undefined }) => {
  const leave = useLeaveTo('greetings');
  const id = greeting?.id;
  const saved = useMemo(() => (greeting ? readGreeting(greeting) : newGreeting()), [greeting]);
  const editing = useEditing({
    saved,
    check: checkGreeting,
    save: (draft) => saveGreeting(draft, id),
    refetch: [greetingsKey],
    onSaved: leave,
  });
  const remove = async (greeting_id: number): Promise<void> => {
    await callRest(deleteGreeting, { params: { greeting_id } });
    editing.reset();
    await leave();
  };
  const { draft, change, text, flag, errorFor } = editing;
  return (
    <EditForm
      editing={editing}
      isNew={id === undefined}
      aside={
        id !== undefined && (
          <ConfirmButton
            label={t('deleteGreeting')}
            question={t('deleteThisGreeting')}
            onConfirm={() => remove(id)}
            refetch={[greetingsKey]}
            notice={t('greetingDeleted')}
          >
            {t('resultsCountedSoFarStay')}
          </ConfirmButton>
        )
      }
    >
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="md">
            <TextInput label={t('name')} description={t('notVisibleToVisitors')} required {...text('name')} />
            <Textarea
              label={t('message')}
              required
              autosize
              minRows={3}
              maxRows={12}
              maxLength={16_384}
              {...text('message')}
            />
            <GroupSelect
              value={draft.group}
              onGroup={(group) => change({ group })}
              disabled={id !== undefined}
              description={t('chatsFromThisGreetingGo')}
            />
            {id !== undefined && <Switch label={t('active')} {...flag('active')} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Text size="sm" fw={600} mb={4}>
            {t('preview')}
          </Text>
          <GreetingPreview text={draft.message} />
        </Grid.Col>
      </Grid>
      <RuleBuilder rules={draft.rules} onChange={(rules) => change({ rules })} errorFor={errorFor} />
    </EditForm>
  );
};
