import type { SessionFields } from '#server/storage/tables/customers.ts';
import { type OrganizationScope, openOrganizationScope } from '../../scope.ts';
import type { VisitRow } from '../visits/current-visit.ts';
import { readVisitors } from '../visits/read-visitors.ts';
import { nextCheckIn, type VisitorState } from './evaluate.ts';
import { findShownGreeting } from './find-shown-greeting.ts';
import { type Candidate, show } from './greet-visitor.ts';
import type { ShownGreeting } from './records.ts';
import type { Rule } from './rules.ts';

export interface GreetingVisitor {
  visit: VisitRow;
  sessionFields: SessionFields;
}

export interface GreetingCheck {
  greeting?: ShownGreeting | undefined;
  againAt?: Date | undefined;
}

/** Most database connections are reserved for requests. */
const MAX_CONCURRENT_CHECKS = 4;

type ActiveGreeting = Candidate & { groupId: number };

const listActiveGreetings = async (scope: OrganizationScope): Promise<ActiveGreeting[]> => {
  const rows = await scope
    .from('greetings')
    .where('active', '=', true)
    .where('deletedAt', 'is', null)
    .where('message', '<>', '')
    .orderBy('id')
    .select(['id', 'groupId', 'message', 'rules'])
    .execute();
  return rows.map((row) => ({ ...row, rules: row.rules as Rule[] }));
};

interface Shown {
  visitId: string;
  greetingId: number;
  canceledAt: Date | null;
}

const listShown = (scope: OrganizationScope, visitIds: string[]): Promise<Shown[]> =>
  scope
    .from('greetingDisplays')
    .where('visitId', 'in', visitIds)
    .select(['visitId', 'greetingId', 'canceledAt'])
    .execute();

const asCustomer = (scope: OrganizationScope, id: string): OrganizationScope =>
  openOrganizationScope(scope.services, { kind: 'customer', id }, scope.organizationId);

const checkVisitor = async (
  scope: OrganizationScope,
  { visit }: GreetingVisitor,
  state: VisitorState,
  greetings: ActiveGreeting[],
  shown: Shown[],
): Promise<GreetingCheck> => {
  // A greeting that was displayed before must be shown again on the next page.
  const isOpen = shown.some(({ canceledAt }) => canceledAt === null);
  const greeting = isOpen ? await findShownGreeting(asCustomer(scope, visit.customerId)) : undefined;
  if (greeting) return { greeting };
  const candidates = greetings.filter(
    ({ id, groupId }) => groupId === visit.groupId && !shown.some(({ greetingId }) => greetingId === id),
  );
  const waits = candidates.map(({ rules }) => nextCheckIn(rules, state));
  const matching = candidates[waits.indexOf(0)];
  const soonest = Math.min(...waits.flatMap((wait) => (wait !== undefined && wait > 0 ? [wait] : [])));
  return {
    greeting: matching && (await scope.transaction((tx) => show(tx, visit, matching))),
    againAt: Number.isFinite(soonest) ? new Date(state.now.getTime() + Math.ceil(soonest * 1000)) : undefined,
  };
};

/**
 * The same check as for visitors with a socket, for many visitors: shared data is read once, and only matches need a
 * transaction. Returns results by visit id.
 */
export const greetVisitors = async (
  scope: OrganizationScope,
  visitors: GreetingVisitor[],
): Promise<Map<string, GreetingCheck>> => {
  const checks = new Map<string, GreetingCheck>();
  if (visitors.length === 0) return checks;
  const greetings = await listActiveGreetings(scope);
  const candidates = visitors.filter(({ visit }) => greetings.some(({ groupId }) => groupId === visit.groupId));
  if (candidates.length === 0) return checks;
  const [states, shown] = await Promise.all([
    readVisitors(scope, candidates),
    listShown(
      scope,
      candidates.map(({ visit }) => visit.id),
    ),
  ]);
  const shownIn = Map.groupBy(shown, ({ visitId }) => visitId);
  const rest = candidates.entries();
  // Visitors without a match cost nothing here; the others are processed by a few workers.
  const checkRest = async (): Promise<void> => {
    for (const [at, visitor] of rest) {
      const { id } = visitor.visit;
      checks.set(id, await checkVisitor(scope, visitor, states[at]!, greetings, shownIn.get(id) ?? []));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, checkRest));
  return checks;
};
