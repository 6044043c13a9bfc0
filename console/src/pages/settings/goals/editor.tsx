import { Select, Stack, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createGoal, deleteGoal, type Goal, updateGoal } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { sayDone } from '../../../design/notices.ts';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { useLeaveTo } from '../use-leave.ts';
import { checkGoal, type GoalDraft, type GoalType, NEW_GOAL, readGoal, writeGoal } from './goal-draft.ts';
import { GOAL_TYPES, GoalFields } from './goal-fields.tsx';

export const goalsKey = ['goals'] as const;

const saveGoal = (draft: GoalDraft, id: number | undefined): Promise<unknown> =>
  id === undefined
    ? callRest(createGoal, { body: writeGoal(draft) })
    : callRest(updateGoal, { params: { goal_id: id }, body: { ...writeGoal(draft), active: draft.active ? 1 : 0 } });

export const GoalEditor = ({ goal }: { goal?: Goal | undefined }) => {
  const client = useQueryClient();
  const leave = useLeaveTo('goals');
  const id = goal?.id;
  const refresh = () => client.invalidateQueries({ queryKey: goalsKey });
  const editing = useEditing({
    saved: goal ? readGoal(goal) : NEW_GOAL,
    check: checkGoal,
    save: async (draft) => {
      await saveGoal(draft, id);
      await refresh();
    },
    onSaved: () => {
      sayDone('Saved.');
      void leave();
    },
  });
  const remove = async (goal_id: number): Promise<void> => {
    await callRest(deleteGoal, { params: { goal_id } });
    editing.reset();
    await leave();
    await refresh();
    sayDone('The goal is removed.');
  };
  const { draft, change, text, flag, fault } = editing;
  return (
    <EditForm
      editing={editing}
      isNew={id === undefined}
      aside={
        id !== undefined && (
          <ConfirmButton
            label="Remove goal"
            question="Remove this goal?"
            confirmLabel="Remove goal"
            onConfirm={() => remove(id)}
          >
            What it counted stays in the reports.
          </ConfirmButton>
        )
      }
    >
      <Stack gap="md" maw={640}>
        <TextInput label="Name" required {...text('name')} />
        <Select
          label="Reached when"
          allowDeselect={false}
          data={GOAL_TYPES}
          value={draft.type}
          onChange={(type) => type && change({ type: type as GoalType })}
          error={fault('type')}
        />
        <GoalFields editing={editing} id={id} />
        {id !== undefined && (
          <Switch label="Counts" description="A goal that does not is paused." {...flag('active')} />
        )}
      </Stack>
    </EditForm>
  );
};
