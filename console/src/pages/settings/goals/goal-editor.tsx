import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { createGoal, deleteGoal, type Goal, updateGoal } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';
import { checkGoal, type GoalDraft, NEW_GOAL, readGoal, writeGoal } from './goal-draft.ts';
import { GOAL_TYPES, GoalFields } from './goal-fields.tsx';

export const goalsKey = ['goals'] as const;

const saveGoal = (draft: GoalDraft, id: number | undefined): Promise<unknown> =>
  id === undefined
    ? callRest(createGoal, { body: writeGoal(draft) })
    : callRest(updateGoal, { params: { goal_id: id }, body: { ...writeGoal(draft), active: draft.active ? 1 : 0 } });

export const GoalEditor = ({ goal }: { goal?: Goal | undefined }) => {
  const leave = useLeaveTo('goals');
  const id = goal?.id;
  const editing = useEditing({
    saved: goal ? readGoal(goal) : NEW_GOAL,
    check: checkGoal,
    save: (draft) => saveGoal(draft, id),
    refetch: [goalsKey],
    onSaved: leave,
  });
  const remove = async (goal_id: number): Promise<void> => {
    await callRest(deleteGoal, { params: { goal_id } });
    editing.reset();
    await leave();
  };
  const { text, select, flag } = editing;
  return (
    <EditForm
      editing={editing}
      isNew={id === undefined}
      aside={
        id !== undefined && (
          <ConfirmButton
            label={t('deleteGoal')}
            question={t('deleteThisGoal')}
            onConfirm={() => remove(id)}
            refetch={[goalsKey]}
            notice={t('goalDeleted')}
          >
            {t('resultsCountedSoFarStay')}
          </ConfirmButton>
        )
      }
    >
      <Stack gap="md" maw={640}>
        <TextInput label={t('name')} required {...text('name')} />
        <Select label={t('goalType')} data={GOAL_TYPES} {...select('type')} />
        <GoalFields editing={editing} id={id} />
        {id !== undefined && (
          <Switch label={t('active')} description={t('inactiveGoalsAreNotCounted')} {...flag('active')} />
        )}
      </Stack>
    </EditForm>
  );
};
