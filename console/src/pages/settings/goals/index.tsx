import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getGoal, listGoals } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../../api/call.ts';
import { Empty, Loaded } from '../../../design/states.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { EditorPage, SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import { GoalEditor, goalsKey } from './goal-editor.tsx';
import { GOAL_TYPES } from './goal-fields.tsx';

const List = () => {
  const goals = useQuery({ queryKey: goalsKey, queryFn: () => callRest(listGoals, {}) });
  return (
    <SectionPage of="goals" addLabel={t('addGoal')}>
      <QueryRows
        label={t('goals')}
        query={goals}
        empty={<Empty title={t('noGoalsYet')}>{t('trackWhatVisitorsDoOn')}</Empty>}
      >
        {({ id, name, type, active }) => (
          <Row
            key={id}
            to="/settings/$"
            path={`goals/${id}`}
            title={name}
            detail={GOAL_TYPES.find(({ value }) => value === type)?.label}
            aside={active === 0 && <Badge variant="default">{t('paused')}</Badge>}
          />
        )}
      </QueryRows>
    </SectionPage>
  );
};

const Edit = ({ id }: { id: number }) => {
  const query = useQuery({
    queryKey: [...goalsKey, id],
    queryFn: () => callRest(getGoal, { params: { goal_id: id } }),
  });
  return (
    <EditorPage of="goals" title={query.data?.name ?? t('goal')}>
      <Loaded query={query}>{(goal) => <GoalEditor key={id} goal={goal} />}</Loaded>
    </EditorPage>
  );
};

export const GoalsSection = ({ id }: { id?: string | undefined }) => {
  if (!id) return <List />;
  if (id !== 'new') return <Edit id={Number(id)} />;
  return (
    <EditorPage of="goals" title={t('newGoal')}>
      <GoalEditor />
    </EditorPage>
  );
};
