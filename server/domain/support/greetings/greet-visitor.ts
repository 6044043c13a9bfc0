import { sql } from 'kysely';
import { newShortId } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { hasActiveChat, lockCustomer } from '../customers/lock-customer.ts';
import { acceptingAgents } from '../groups/online.ts';
import { findCurrentVisit, type VisitRow } from '../visits/current-visit.ts';
import { readVisitor } from '../visits/read-visitor.ts';
import { nextCheckIn } from './evaluate.ts';
import type { ShownGreeting } from './records.ts';
import type { Rule } from './rules.ts';

export interface Candidate {
  id: number;
  message: string;
  rules: Rule[];
}

/** Greetings that were not shown in this visit. */
const listCandidates = async (scope: OrganizationScope, visit: VisitRow): Promise<Candidate[]> => {
  const rows = await scope
    .from('greetings')
    .where('groupId', '=', visit.groupId)
    .where('active', '=', true)
    .where('deletedAt', 'is', null)
    .where('message', '<>', '')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('greetingDisplays')
            .where('greetingDisplays.organizationId', '=', scope.organizationId)
            .where('greetingDisplays.visitId', '=', visit.id)
            .whereRef('greetingDisplays.greetingId', '=', 'greetings.id')
            .select('greetingDisplays.id'),
        ),
      ),
    )
    .orderBy('id')
    .select(['id', 'message', 'rules'])
    .execute();
  return rows.map((row) => ({ ...row, rules: row.rules as Rule[] }));
};

export const hasOpenGreeting = async (scope: OrganizationScope, visitId: string): Promise<boolean> =>
  (await scope
    .from('greetingDisplays')
    .where('visitId', '=', visitId)
    .where('acceptedAt', 'is', null)
    .where('canceledAt', 'is', null)
    .select('id')
    .executeTakeFirst()) !== undefined;

/** Prefers people to bots. */
const findGreetingAgent = (tx: OrganizationScope, groupId: number) =>
  acceptingAgents(tx, [groupId])
    .orderBy('agents.kind', 'desc')
    .orderBy('agents.id')
    .limit(1)
    .select(['agents.id as login', 'agents.name', 'agents.avatar', 'agents.jobTitle', 'agents.kind'])
    .executeTakeFirst();

/** Displays a greeting, once per visit. The customer must be locked. */
export const display = async (
  tx: Transaction<OrganizationScope>,
  { id: visitId, customerId, groupId }: VisitRow,
  { id: greetingId, message }: Pick<Candidate, 'id' | 'message'>,
  agent: ShownGreeting['agent'],
): Promise<ShownGreeting | undefined> => {
  const displayedAt = tx.now();
  // A unique index prevents concurrent processes from showing it twice.
  const shown = await tx
    .insert('greetingDisplays', {
      ...{ id: newShortId(), greetingId, visitId, customerId, groupId, agentId: agent.login },
      ...{ message, displayedAt },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!shown) return undefined;
  await tx
    .update('customers')
    .where('id', '=', customerId)
    .set({ greetingsShownCount: sql<number>`greetings_shown_count + 1` })
    .execute();
  const greeting = { uniqueId: shown.id, greetingId, message, agent, displayedAt, firstTime: true, accepted: false };
  tx.emit({ type: 'greeting_displayed', organizationId: tx.organizationId, customerId, greeting });
  return greeting;
};

/** Shows the greeting unless the customer is in a chat, another greeting is open, or no agent accepts chats. */
export const show = async (
  tx: Transaction<OrganizationScope>,
  visit: VisitRow,
  greeting: Candidate,
): Promise<ShownGreeting | undefined> => {
  const { customerId, groupId } = visit;
  await lockCustomer(tx, customerId);
  if ((await hasActiveChat(tx, customerId)) || (await hasOpenGreeting(tx, visit.id))) return undefined;
  const agent = await findGreetingAgent(tx, groupId);
  return agent && display(tx, visit, greeting, agent);
};

/**
 * Shows the first greeting that matches the visitor. Returns when to check again if time alone can make another one
 * match.
 */
export const greetVisitor = async (
  scope: OrganizationScope,
  { customerId }: { customerId: string },
): Promise<Date | undefined> => {
  const visit = await findCurrentVisit(scope, customerId);
  const candidates = visit ? await listCandidates(scope, visit) : [];
  if (!visit || candidates.length === 0) return undefined;
  const visitor = await readVisitor(scope, visit);
  const waits = candidates.map(({ rules }) => nextCheckIn(rules, visitor));
  const matching = candidates[waits.indexOf(0)];
  if (matching) await scope.transaction((tx) => show(tx, visit, matching));
  const soonest = Math.min(...waits.filter((wait) => wait !== undefined && wait > 0).map(Number));
  return Number.isFinite(soonest) ? new Date(visitor.now.getTime() + Math.ceil(soonest * 1000)) : undefined;
};
