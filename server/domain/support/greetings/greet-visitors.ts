import type { SessionFields } from '#server/storage/tables/customers.ts';
import { type OrganizationScope, openOrganizationScope } from '../../scope.ts';
import type { VisitRow } from '../visits/current-visit.ts';
import { readVisitors } from '../visits/read-visitors.ts';
import { nextCheckIn, type VisitorState } from './evaluate.ts';
import { type Candidate, show } from './greet-visitor.ts';
import type { ShownGreeting } from './records.ts';
import type { Rule } from './rules.ts';
import { findShownGreeting } from './shown-greeting.ts';

export interface LookedAt {
  visit: VisitRow;
  sessionFields: SessionFields;
}

export interface Look {
  greeting?: ShownGreeting | undefined;
  againAt?: Date | undefined;
}

/** Most connections are for those who wait for an answer. */
const AT_ONCE = 4;

type Ready = Candidate & { groupId: number };

const listReady = async (scope: OrganizationScope): Promise<Ready[]> => {
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

const lookAt = async (
  scope: OrganizationScope,
  { visit }: LookedAt,
  state: VisitorState,
  ready: Ready[],
  shown: Shown[],
): Promise<Look> => {
  // What stood on the page before has to be shown again; a page that shows it already knows.
  const stands = shown.some(({ canceledAt }) => canceledAt === null);
  const greeting = stands ? await findShownGreeting(asCustomer(scope, visit.customerId)) : undefined;
  if (greeting) return { greeting };
  const candidates = ready.filter(
    ({ id, groupId }) => groupId === visit.groupId && !shown.some(({ greetingId }) => greetingId === id),
  );
  const waits = candidates.map(({ rules }) => nextCheckIn(rules, state));
  const fitting = candidates[waits.indexOf(0)];
  const soonest = Math.min(...waits.flatMap((wait) => (wait !== undefined && wait > 0 ? [wait] : [])));
  return {
    greeting: fitting && (await scope.transaction((tx) => show(tx, visit, fitting))),
    againAt: Number.isFinite(soonest) ? new Date(state.now.getTime() + Math.ceil(soonest * 1000)) : undefined,
  };
};

/**
 * The same look as for visitors with a socket, at many at once: what all have in common is read once. Only whom a greeting
 * fits costs a transaction. By the visit's id.
 */
export const greetVisitors = async (scope: OrganizationScope, visitors: LookedAt[]): Promise<Map<string, Look>> => {
  const looks = new Map<string, Look>();
  if (visitors.length === 0) return looks;
  const ready = await listReady(scope);
  const concerned = visitors.filter(({ visit }) => ready.some(({ groupId }) => groupId === visit.groupId));
  if (concerned.length === 0) return looks;
  const [states, shown] = await Promise.all([
    readVisitors(scope, concerned),
    listShown(
      scope,
      concerned.map(({ visit }) => visit.id),
    ),
  ]);
  const shownIn = Map.groupBy(shown, ({ visitId }) => visitId);
  const rest = concerned.entries();
  // Whom nothing fits costs nothing here; the others take turns.
  const lookAtRest = async (): Promise<void> => {
    for (const [at, visitor] of rest) {
      const { id } = visitor.visit;
      looks.set(id, await lookAt(scope, visitor, states[at]!, ready, shownIn.get(id) ?? []));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookAtRest));
  return looks;
};
