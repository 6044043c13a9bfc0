import type { SessionFields } from '#server/storage/tables/customers.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { announceUpdate } from '../customers/pending-update.ts';
import { checkSessionFields, emitSessionFields } from '../customers/session-fields.ts';
import { countGoals, countSale } from '../goals/reach-goals.ts';
import { reachGoalsOfMany } from '../goals/reach-many.ts';
import { greetVisitors } from '../greetings/greet-visitors.ts';
import { type BeaconAnswer, isMereBeat, type Sighting } from './beacons.ts';
import type { VisitRow } from './current-visit.ts';
import { findLastVisits, holdVisitors, type KnownVisitor } from './hold-visitors.ts';
import { keepTracked } from './keep-tracked.ts';
import { browserOf, leaveOutStrangers } from './own-browsers.ts';
import { saySightings } from './say-sightings.ts';
import { planVisits, type SeenVisit, writeVisits } from './write-sightings.ts';

type Tx = Transaction<OrganizationScope>;

/** Whom greetings may look at afterwards. */
interface Tracked {
  sighting: Sighting;
  visit: VisitRow;
  sessionFields: SessionFields;
}

const isBanned = ({ bannedUntil, addressBannedUntil }: KnownVisitor, now: Date): boolean =>
  [bannedUntil, addressBannedUntil].some((until) => until !== null && until > now);

/** What is too much is left out: a page cannot be told that it says too many things. */
const joinFields = (fields: SessionFields, variables: Record<string, string>): SessionFields => {
  try {
    return checkSessionFields([...fields, variables]);
  } catch (error) {
    if (error instanceof DomainError) return fields;
    throw error;
  }
};

const writeVariables = async (tx: Tx, { id, sessionFields }: KnownVisitor, variables: Record<string, string>) => {
  if (Object.keys(variables).length === 0) return sessionFields;
  const joined = joinFields(sessionFields, variables);
  const text = JSON.stringify(joined);
  if (text === JSON.stringify(sessionFields)) return sessionFields;
  await tx.update('customers').where('id', '=', id).set({ sessionFields: text }).execute();
  await announceUpdate(tx, id);
  await emitSessionFields(tx, id, joined);
  return joined;
};

/** Only goals that wait to be told so: pages and variables reach the others by themselves. */
const countTold = async (tx: Tx, visit: VisitRow, goals: Sighting['goals']): Promise<void> => {
  if (goals.length === 0) return;
  const told = await tx
    .from('goals')
    .where('id', 'in', [...new Set(goals.map(({ goalId }) => goalId))])
    .where('type', 'in', ['api', 'sales_tracker'])
    .where('active', '=', true)
    .where('deletedAt', 'is', null)
    .select('id')
    .execute();
  for (const { goalId, sale } of goals.filter(({ goalId }) => told.some(({ id }) => id === goalId)))
    await (sale ? countSale(tx, visit, goalId, sale) : countGoals(tx, visit, [goalId]));
};

/** A group that does not exist is as if none had been named. */
const withKnownGroups = async (tx: Tx, sightings: Sighting[]): Promise<Sighting[]> => {
  const named = [...new Set(sightings.flatMap(({ groupId }) => groupId ?? []))];
  if (named.length === 0) return sightings;
  const rows = await tx.from('groups').where('id', 'in', named).select('id').execute();
  const known = new Set(rows.map(({ id }) => id));
  return sightings.map((one) =>
    one.groupId === undefined || known.has(one.groupId) ? one : { ...one, groupId: undefined },
  );
};

/** Everybody of whom there is more to write than that they are there. Says who is no stranger. */
const writeAll = (
  scope: OrganizationScope,
  sightings: Sighting[],
): Promise<{ recognised: Set<string>; tracked: Tracked[] }> =>
  scope.transaction(async (tx) => {
    const known = await holdVisitors(tx, sightings);
    const own = sightings.filter(({ customerId, secretHash }) => known.get(customerId)?.secretHash?.equals(secretHash));
    const welcome = own.filter(({ customerId }) => !isBanned(known.get(customerId)!, tx.now()));
    const seen: SeenVisit[] = await planVisits(tx, await withKnownGroups(tx, welcome), known);
    await writeVisits(tx, seen);
    const tracked: Tracked[] = [];
    for (const { sighting, visit } of seen) {
      const sessionFields = await writeVariables(tx, known.get(sighting.customerId)!, sighting.variables);
      await countTold(tx, visit, sighting.goals);
      tracked.push({ sighting, visit, sessionFields });
    }
    await reachGoalsOfMany(
      tx,
      tracked
        .filter(({ sighting }) => !isMereBeat(sighting))
        .map(({ sighting, ...one }) => ({ ...one, pageUrls: sighting.pages.map(({ url }) => url) })),
    );
    await saySightings(tx, seen);
    return { recognised: new Set(own.map(({ customerId }) => customerId)), tracked };
  });

/** Those who had nothing new to say but whose moment for a greeting has come. */
const readLooking = async (scope: OrganizationScope, beats: Sighting[]): Promise<Tracked[]> => {
  const looking = beats.filter(({ looks }) => looks);
  if (looking.length === 0) return [];
  const visits = await findLastVisits(
    scope,
    looking.map(({ customerId }) => customerId),
  );
  return looking.map((sighting) => ({ sighting, ...visits.get(sighting.customerId)! }));
};

/**
 * Writes down what the pages of one organization said, each browser at most once in the list; answers each. A number of
 * statements that does not grow with the visitors, except for the few to whom something particular happens.
 */
export const trackVisitors = async (scope: OrganizationScope, all: Sighting[]): Promise<Map<string, BeaconAnswer>> => {
  const sightings = await leaveOutStrangers(scope, all);
  const beats = sightings.filter(isMereBeat);
  const kept = beats.length > 0 ? await keepTracked(scope, beats) : new Set<string>();
  const rest = sightings.filter((one) => !kept.has(one.customerId));
  const { recognised, tracked } =
    rest.length > 0 ? await writeAll(scope, rest) : { recognised: new Set<string>(), tracked: [] };
  const lookingBeats = await readLooking(
    scope,
    beats.filter(({ customerId }) => kept.has(customerId)),
  );
  const looking = [...tracked, ...lookingBeats].filter(({ sighting }) => sighting.looks && !sighting.left);
  const looks = await greetVisitors(
    scope,
    looking.map(({ visit, sessionFields }) => ({ visit, sessionFields })),
  );
  const lookOf = new Map(looking.map(({ visit }) => [visit.customerId, looks.get(visit.id)]));
  const own = new Set(sightings);
  const answer = (sighting: Sighting): BeaconAnswer => {
    const { customerId } = sighting;
    const look = lookOf.get(customerId);
    const isKnown = own.has(sighting) && (kept.has(customerId) || recognised.has(customerId));
    return isKnown ? { recognised: true, greeting: look?.greeting, lookAgainAt: look?.againAt } : { recognised: false };
  };
  return new Map(all.map((sighting) => [browserOf(sighting), answer(sighting)]));
};
