import { readAddress, seekAddress } from '../matching/addresses.ts';
import { foldText, readValue } from '../matching/texts.ts';

/** How a shop tells of its orders; the tracker itself is a page's business. */
export interface SalesTracker {
  salesTrackerId: string;
  valueType: 'not_set' | 'set' | 'dynamic';
  value?: string;
  currency?: string;
  timeRange?: string;
  orderFieldName?: string;
  valueFieldName?: string;
}

/** What counts as reaching a goal. `api` and `sales_tracker` goals are only reached by being told so. */
export type GoalCondition =
  | { type: 'url'; url: string; matchType?: 'substring' | 'exact' }
  | { type: 'custom_variable'; customVariableName: string; customVariableValue: string }
  | { type: 'api' }
  | ({ type: 'sales_tracker' } & SalesTracker);

export type WatchedGoal = { id: number; active: boolean } & GoalCondition;

export interface GoalSigns {
  pageUrl?: string;
  customVariables: Record<string, string>;
  /** Goals of this visit; none of them is reached again. */
  alreadyReached?: ReadonlySet<number>;
}

const isReached = (goal: GoalCondition, { pageUrl, customVariables }: GoalSigns): boolean => {
  switch (goal.type) {
    case 'url': {
      if (!pageUrl || foldText(goal.url) === '') return false;
      const { isPage, isPart } = seekAddress(goal.url);
      return (goal.matchType === 'exact' ? isPage : isPart)(readAddress(pageUrl));
    }
    case 'custom_variable':
      return (
        Object.hasOwn(customVariables, goal.customVariableName) &&
        foldText(readValue(customVariables, goal.customVariableName)) === foldText(goal.customVariableValue)
      );
    case 'api':
    case 'sales_tracker':
      return false;
  }
};

/** Which goals a page view or a change of variables reaches. */
export const reachedGoals = <G extends WatchedGoal>(goals: readonly G[], signs: GoalSigns): G[] =>
  goals.filter((goal) => goal.active && !(signs.alreadyReached?.has(goal.id) ?? false) && isReached(goal, signs));
