import { createAddressMatcher, readAddress } from '../matching/addresses.ts';
import { foldText, readValue } from '../matching/texts.ts';

/** Settings of the sales tracker, which runs on the shop's pages. */
export interface SalesTracker {
  salesTrackerId: string;
  valueType: 'not_set' | 'set' | 'dynamic';
  value?: string;
  currency?: string;
  timeRange?: string;
  orderFieldName?: string;
  valueFieldName?: string;
}

/** When a goal is reached. `api` and `sales_tracker` goals are only reached by explicit reports. */
export type GoalCondition =
  | { type: 'url'; url: string; matchType?: 'substring' | 'exact' }
  | { type: 'custom_variable'; customVariableName: string; customVariableValue: string }
  | { type: 'api' }
  | ({ type: 'sales_tracker' } & SalesTracker);

export type GoalToCheck = { id: number; active: boolean } & GoalCondition;

export interface GoalActivity {
  pageUrl?: string;
  customVariables: Record<string, string>;
  /** Goals already reached in this visit. */
  alreadyReached?: ReadonlySet<number>;
}

const isReached = (goal: GoalCondition, { pageUrl, customVariables }: GoalActivity): boolean => {
  switch (goal.type) {
    case 'url': {
      if (!pageUrl || foldText(goal.url) === '') return false;
      const { isPage, isPart } = createAddressMatcher(goal.url);
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

/** Returns the goals that a page view or a change of variables reaches. */
export const findReachedGoals = <G extends GoalToCheck>(goals: readonly G[], activity: GoalActivity): G[] =>
  goals.filter((goal) => goal.active && !(activity.alreadyReached?.has(goal.id) ?? false) && isReached(goal, activity));
