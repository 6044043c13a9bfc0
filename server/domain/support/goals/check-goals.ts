import type { SessionFields } from '#server/storage/tables/customers.ts';
import { requireCustomer } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { checkSessionFields } from '../customers/session-fields.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { isOnline } from '../visits/presence.ts';
import { addPage, checkPage } from '../visits/record-page.ts';
import { touchVisit } from '../visits/touch-visit.ts';
import { reachGoals } from './reach-goals.ts';

export interface CheckGoalsInput {
  sessionFields: SessionFields;
  groupId: number;
  pageUrl: string;
}

/**
 * Checks goals for a customer without a socket. Does nothing for customers with a socket, because their goals are checked
 * with each page update. The given session fields count for this check only.
 */
export const checkGoals = async (scope: OrganizationScope, input: CheckGoalsInput): Promise<void> => {
  const { id, browser } = requireCustomer(scope.actor);
  const { groupId } = input;
  const sessionFields = checkSessionFields(input.sessionFields);
  const page = checkPage({ url: input.pageUrl }, 'page_url');
  await assertGroupsExist(scope, [groupId]);
  if (await isOnline(scope, id)) return;
  await scope.transaction(async (tx) => {
    const visit = await touchVisit(tx, id, { browser, groupId });
    await addPage(tx, visit, page);
    await reachGoals(tx, visit, { pageUrl: page.url, sessionFields });
  });
};
