import { endLicense } from '#server/domain/accounts/licenses/end-license.ts';
import { DISCONNECT_GRACE_MS } from '#server/domain/support/agents/presence/connections.ts';
import { applySchedule } from '#server/domain/support/agents/presence/work-schedule.ts';
import { handleDisconnectedAgent } from '#server/domain/support/agents/sign-in/sign-out.ts';
import { keepArchive } from '#server/domain/support/archives/keep-archive.ts';
import {
  closeAbandonedChat,
  closeIdleChat,
  reassignIfUnanswered,
} from '#server/domain/support/chats/lifecycle/inactive-chats.ts';
import { serveQueue } from '#server/domain/support/routing/reroute.ts';
import { endVisits, visitEndThresholds } from '#server/domain/support/visits/end-visits.ts';
import {
  findAbandonedChats,
  findEndedLicenses,
  findGoneAgents,
  findIdleChats,
  findOrganizationsWithArchiveMarks,
  findShiftChanges,
  findUnansweredChats,
  findWaitingOrganizations,
} from '#server/storage/platform-timers.ts';
import { type EndedVisit, findEndedVisits } from '#server/storage/platform-visits.ts';
import { refreshStatistics } from '#server/storage/refresh-statistics.ts';
import type { Pass } from './clockwork.ts';

/** For each organization at a time, so that nobody waits for one with much to do. */
const MAX_FOR_ARCHIVE_MS = 1_000;

const byOwner = (visits: EndedVisit[]) =>
  Array.from(
    Map.groupBy(visits, ({ organizationId }) => organizationId),
    ([organizationId, some]) => ({ organizationId, visits: some }),
  );

const toOwned = (ids: string[]) => ids.map((organizationId) => ({ organizationId }));

/** All that time alone brings about. Nothing of it waits for a person, and nothing of it is lost by a restart. */
export const passes: readonly Pass[] = [
  {
    name: 'gone agents',
    everySeconds: 2,
    run: async ({ database, services }, forEach) => {
      const now = services.clock.now();
      await forEach(
        await findGoneAgents(database, now, new Date(now.getTime() - DISCONNECT_GRACE_MS)),
        handleDisconnectedAgent,
      );
    },
  },
  {
    name: 'shifts',
    everySeconds: 2,
    run: async ({ database, services }, forEach) =>
      forEach(await findShiftChanges(database, services.clock.now()), applySchedule),
  },
  {
    name: 'abandoned chats',
    everySeconds: 5,
    run: async ({ database, services }, forEach) =>
      forEach(await findAbandonedChats(database, services.clock.now()), closeAbandonedChat),
  },
  {
    name: 'unanswered chats',
    everySeconds: 10,
    run: async ({ database, services }, forEach) =>
      forEach(await findUnansweredChats(database, services.clock.now()), reassignIfUnanswered),
  },
  {
    name: 'idle chats',
    everySeconds: 10,
    run: async ({ database, services }, forEach) =>
      forEach(await findIdleChats(database, services.clock.now()), closeIdleChat),
  },
  {
    name: 'queues',
    everySeconds: 10,
    run: async ({ database }, forEach) =>
      forEach(toOwned(await findWaitingOrganizations(database)), (scope) => scope.transaction(serveQueue)),
  },
  {
    name: 'visits',
    everySeconds: 10,
    run: async ({ database, services }, forEach) =>
      forEach(byOwner(await findEndedVisits(database, visitEndThresholds(services.clock.now()))), (scope, { visits }) =>
        endVisits(scope, visits),
      ),
  },
  {
    name: 'licenses',
    everySeconds: 60,
    run: async ({ database, services }, forEach) =>
      forEach(toOwned(await findEndedLicenses(database, services.clock.now())), endLicense),
  },
  {
    name: 'archives',
    everySeconds: 10,
    run: async ({ database }, forEach) =>
      forEach(toOwned(await findOrganizationsWithArchiveMarks(database)), (scope) =>
        keepArchive(scope, performance.now() + MAX_FOR_ARCHIVE_MS),
      ),
  },
  {
    // A read applies what it needs by itself; this keeps the queue short where nobody reads.
    name: 'projections',
    everySeconds: 4,
    run: ({ projections }) => projections.drain(),
  },
  {
    name: 'statistics',
    everySeconds: 3,
    run: ({ database }) => refreshStatistics(database),
  },
];
