import type { Logger } from 'pino';
import { endLicense } from '#server/domain/accounts/licenses/end-license.ts';
import type { ClickLane } from '#server/domain/partners/clicks/click-lane.ts';
import { createCatchUp } from '#server/domain/partners/referrals/milestones.ts';
import { renewDue } from '#server/domain/partners/subscriptions/renew.ts';
import type { Services } from '#server/domain/scope.ts';
import { DISCONNECT_GRACE_MS } from '#server/domain/support/agents/presence/connections.ts';
import { applySchedule } from '#server/domain/support/agents/presence/work-schedule.ts';
import { handleDisconnectedAgent } from '#server/domain/support/agents/sign-in/sign-out.ts';
import { finishEvent } from '#server/domain/support/chats/append/finish-event.ts';
import {
  closeAbandonedChat,
  closeIdleChat,
  reassignIfUnanswered,
} from '#server/domain/support/chats/lifecycle/inactive-chats.ts';
import { serveQueue } from '#server/domain/support/routing/reroute.ts';
import { endVisits, visitEndThresholds } from '#server/domain/support/visits/end-visits.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import type { ProjectionWorker } from '#server/projections/worker.ts';
import type { Database } from '#server/storage/database.ts';
import { measureQueues, type QueueSizes } from '#server/storage/platform-mails.ts';
import {
  findAbandonedChats,
  findEndedLicenses,
  findGoneAgents,
  findIdleChats,
  findShiftChanges,
  findUnansweredChats,
  findUnfinishedEvents,
  findWaitingOrganizations,
} from '#server/storage/platform-timers.ts';
import { type EndedVisit, findEndedVisits } from '#server/storage/platform-visits.ts';
import { refreshStatistics } from '#server/storage/refresh-statistics.ts';
import { closeStatements } from './close-statements.ts';
import type { MailFiler } from './mail-filer.ts';
import type { MailSender } from './mail-sender.ts';
import { removeAllExpiredFiles, removeAllExpiredTokens } from './remove-expired.ts';
import type { PeriodicTask } from './scheduler.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface TaskParts {
  database: Database;
  services: Services;
  files: FileStore;
  webhooks: WebhookSender;
  mailSender: MailSender;
  mailFiler: MailFiler;
  clicks: ClickLane;
  projections: ProjectionWorker;
  onQueueSizes(sizes: QueueSizes): void;
  log: Logger;
}

const groupByOrganization = (visits: EndedVisit[]) =>
  Array.from(
    Map.groupBy(visits, ({ organizationId }) => organizationId),
    ([organizationId, some]) => ({ organizationId, visits: some }),
  );

const toItems = (ids: string[]) => ids.map((organizationId) => ({ organizationId }));

/** The complete list of periodic background work. */
export const createPeriodicTasks = ({
  database,
  services,
  files,
  webhooks,
  mailSender,
  mailFiler,
  clicks,
  projections,
  onQueueSizes,
  log,
}: TaskParts) => {
  const now = (): Date => services.clock.now();
  return [
    {
      name: 'deliver-webhooks',
      everySeconds: 1,
      runsIn: 'worker',
      run: () => webhooks.poll(),
    },
    {
      name: 'send-mails',
      everySeconds: 1,
      runsIn: 'worker',
      run: () => mailSender.poll(),
    },
    {
      name: 'file-received-mails',
      everySeconds: 5,
      runsIn: 'worker',
      run: () => mailFiler.drain(),
    },
    {
      name: 'measure-queues',
      everySeconds: 15,
      runsIn: 'worker',
      run: async () => onQueueSizes(await measureQueues(database)),
    },
    {
      name: 'adopt-unwritten-clicks',
      everySeconds: 10,
      runsIn: 'process',
      run: () => clicks.adopt(),
    },
    {
      name: 'sign-out-disconnected-agents',
      everySeconds: 2,
      waitsForReconnects: true,
      run: async ({ forEach }) =>
        forEach(
          await findGoneAgents(database, now(), new Date(now().getTime() - DISCONNECT_GRACE_MS)),
          handleDisconnectedAgent,
        ),
    },
    {
      name: 'apply-work-schedules',
      everySeconds: 2,
      waitsForReconnects: true,
      run: async ({ forEach }) => forEach(await findShiftChanges(database, now()), applySchedule),
    },
    {
      name: 'close-abandoned-chats',
      everySeconds: 5,
      waitsForReconnects: true,
      run: async ({ forEach }) => forEach(await findAbandonedChats(database, now()), closeAbandonedChat),
    },
    {
      name: 'reassign-unanswered-chats',
      everySeconds: 10,
      waitsForReconnects: true,
      run: async ({ forEach }) => forEach(await findUnansweredChats(database, now()), reassignIfUnanswered),
    },
    {
      name: 'close-idle-chats',
      everySeconds: 10,
      waitsForReconnects: true,
      run: async ({ forEach }) => forEach(await findIdleChats(database, now()), closeIdleChat),
    },
    {
      name: 'serve-queues',
      everySeconds: 10,
      waitsForReconnects: true,
      run: async ({ forEach }) =>
        forEach(toItems(await findWaitingOrganizations(database)), (scope) => scope.transaction(serveQueue)),
    },
    {
      name: 'finish-sent-events',
      everySeconds: 5,
      run: async ({ forEach }) => forEach(await findUnfinishedEvents(database), finishEvent),
    },
    {
      name: 'end-visits',
      everySeconds: 10,
      waitsForReconnects: true,
      run: async ({ forEach }) =>
        forEach(groupByOrganization(await findEndedVisits(database, visitEndThresholds(now()))), (scope, { visits }) =>
          endVisits(scope, visits),
        ),
    },
    {
      // A read applies the entries it depends on by itself; this keeps the queue short where there are no reads.
      name: 'apply-projections',
      everySeconds: 4,
      run: () => projections.drain(),
    },
    {
      name: 'refresh-statistics',
      everySeconds: 3,
      run: () => refreshStatistics(database),
    },
    {
      name: 'end-licenses',
      everySeconds: 60,
      run: async ({ forEach }) => forEach(toItems(await findEndedLicenses(database, now())), endLicense),
    },
    {
      name: 'update-milestones',
      everySeconds: 60,
      run: createCatchUp(database),
    },
    {
      name: 'renew-subscriptions',
      everySeconds: 60,
      run: () => renewDue(services, (err, about) => log.error({ err, ...about }, 'subscription renewal failed')),
    },
    {
      name: 'remove-expired-files',
      everySeconds: 600,
      run: removeAllExpiredFiles(database, now, files),
    },
    {
      name: 'remove-expired-tokens',
      everySeconds: 3600,
      run: removeAllExpiredTokens(database, now),
    },
    {
      name: 'close-statements',
      everySeconds: 3600,
      run: closeStatements(database, services),
    },
  ] as const satisfies readonly PeriodicTask[];
};

export type TaskName = ReturnType<typeof createPeriodicTasks>[number]['name'];
