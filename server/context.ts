import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { mailConfirmations } from './domain/accounts/addresses/confirmations.ts';
import { createBatchLoader } from './domain/batch-loader.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import { CREDENTIALS_TOPIC, PROPERTIES_TOPIC, readEvent } from './domain/events.ts';
import { createLockQueue } from './domain/lock-queue.ts';
import { createClickLane } from './domain/partners/clicks/click-lane.ts';
import { createLinkFinder, type LinkFinder } from './domain/partners/clicks/find-link.ts';
import { createMilestones, type Milestones } from './domain/partners/referrals/milestones.ts';
import type { Services } from './domain/scope.ts';
import { createSecrets } from './domain/secrets.ts';
import { mailPasswordResets } from './domain/support/agents/sign-in/reset-password.ts';
import { createAppendLane, type LaneOptions } from './domain/support/chats/append/append-lane.ts';
import { createEventCache } from './domain/support/chats/read/event-cache.ts';
import { createResponseCache } from './domain/support/chats/read/response-cache.ts';
import { createConfigurationCache } from './domain/support/configuration/configuration-cache.ts';
import { type CustomerIdentifier, createCustomerIdentifier } from './domain/support/customers/identify.ts';
import { createPropertyCatalog } from './domain/support/properties/property-catalog.ts';
import { createTracker, type Tracker } from './domain/support/visits/tracker.ts';
import { type ClickLimit, createClickLimit } from './http/click-limit.ts';
import { createSignInLimits, type SignInLimits } from './http/sign-in-limit.ts';
import type { InstallationSecrets } from './installation-secrets.ts';
import { jobNames } from './jobs/index.ts';
import { createMailFiler, type MailFiler } from './jobs/mail-filer.ts';
import { createMailQueue } from './jobs/mail-queue.ts';
import { createMailSender, type MailSender } from './jobs/mail-sender.ts';
import { notifyEmailVerified } from './jobs/notify-email-verified.ts';
import { createPeriodicTasks, type TaskName } from './jobs/periodic-tasks.ts';
import { type JobHandlers, type JobQueue, openJobQueue } from './jobs/queue.ts';
import { createScheduler, type Scheduler } from './jobs/scheduler.ts';
import { createWebhookSender, type WebhookSender } from './jobs/webhook-sender.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openBus, openPayments, openSmtp } from './open-ports.ts';
import type { Bus } from './ports/bus/bus.ts';
import { openDiskStore } from './ports/files/disk.ts';
import type { FileStore } from './ports/files/files.ts';
import { locateNothing, openGeoDatabase } from './ports/geo/geo.ts';
import { createOutbox, type Outbox } from './ports/mail/outbox.ts';
import { parseAddress } from './ports/mail/parse-address.ts';
import type { Payments } from './ports/payments/payments.ts';
import { createUrlCheck } from './ports/web/is-allowed-url.ts';
import { createWeb } from './ports/web/safe-fetch.ts';
import { readUrlInfo, type UrlInfo } from './ports/web/url-info.ts';
import type { Web } from './ports/web/web.ts';
import { createProjectionWorker, type ProjectionWorker } from './projections/worker.ts';
import { createReactions, reactToAccountEvent } from './reactions/index.ts';
import { createFeeds, type Feeds } from './realtime/feeds.ts';
import { createGreeter, type Greeter } from './realtime/greeter.ts';
import { type Database, openDatabase } from './storage/database.ts';
import { webhookWriter } from './surfaces/chat-v3/webhook-bodies.ts';

/** Clients of other systems. */
export interface Ports {
  bus: Bus;
  files: FileStore;
  /** Stores mails when no mail server is configured. */
  outbox: Outbox | undefined;
  payments: Payments;
  web: Web;
  /** The preview of a link; private addresses are never requested. */
  readUrlInfo(url: string): Promise<UrlInfo | undefined>;
}

/** Work that no request waits for. */
export interface Background {
  jobs: JobQueue;
  jobHandlers: JobHandlers;
  webhooks: WebhookSender;
  mailSender: MailSender;
  mailFiler: MailFiler;
  scheduler: Scheduler<TaskName>;
  projections: ProjectionWorker;
}

/** Everything that one process has opened. */
export interface Context {
  config: Config;
  log: Logger;
  clock: Clock;
  operatorToken: string;
  publicUrl(): string;
  database: Database;
  services: Services;
  metrics: Metrics;
  customers: CustomerIdentifier;
  ports: Ports;
  background: Background;
  realtime: { feeds: Feeds; greeter: Greeter; tracker: Tracker };
  /** Where partners' links lead, and the progress of the licenses that partners referred. */
  partners: { links: LinkFinder; milestones: Milestones; isAmongFirstClicks: ClickLimit };
  /** Slow down guessing on all pages and APIs. */
  signInLimits: SignInLimits;
  /** The server is shutting down: readiness reports it, and no new work is started. */
  stopping: boolean;
  close(): Promise<void>;
}

export interface ContextParts {
  config: Config;
  secrets: InstallationSecrets;
  connection: PoolConfig;
  log: Logger;
  publicUrl(): string;
  /** Set by tests. */
  clock?: Clock;
  /** Set by tests. */
  previews?: Web;
  /** Set by benchmarks. */
  lane?: LaneOptions | undefined;
}

const STATEMENT_TIMEOUT_MS = 14_000;
const MAX_CONNECTIONS = 20;
const DEFAULT_LANE: LaneOptions = { lanes: 4, maxPerBatch: 200 };
const STOP_MS = { jobs: 1_500, mails: 1_000, mailServer: 100 };
/** Time limits for closing each part and all of them. They leave one of the ten seconds of a shutdown to PostgreSQL. */
const CLOSE_MS = {
  scheduler: 1_000,
  greeter: 1_000,
  tracker: 1_000,
  clicks: 1_000,
  milestones: 500,
  lane: 1_000,
  jobs: 2_500,
  webhooks: 500,
  mail: 500,
  bus: 500,
  database: 1_000,
};
const CLOSE_ALL_MS = 4_200;

/** Statements that are still running are canceled. */
const endDatabase = (database: Database): Promise<void> => {
  database.destroyConnections();
  return database.close();
};

const openAll = async (
  {
    config,
    secrets: installation,
    connection,
    log,
    publicUrl,
    clock = systemClock,
    lane = DEFAULT_LANE,
    previews = createWeb({ allowPrivate: false }),
  }: ContextParts,
  closing: Closing,
): Promise<Context> => {
  closing.add('previews', () => previews.close());
  const database = openDatabase({
    connection,
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The error object contains the whole connection.
    onError: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
  });
  closing.add('database', () => endDatabase(database), CLOSE_MS.database);
  const bus = await openBus(config, log);
  closing.add('bus', () => bus.close(), CLOSE_MS.bus);
  const dataDir = (name: string): string => path.join(config.dataDir, name);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const outbox = config.smtpUrl ? undefined : await createOutbox({ directory: dataDir('outbox') });
  const mail = outbox ?? (await openSmtp(config.smtpUrl!, config.smtpMaxConnections));
  closing.add('mail', () => mail.close(STOP_MS.mailServer), CLOSE_MS.mail);
  const files = await openDiskStore(dataDir('files'));
  const jobs = await openJobQueue(connection, jobNames, log);
  const secrets = createSecrets(installation.secretKey);
  const mails = createMailQueue({ clock, secrets });
  const onMail = (): void => scheduler.wake('send-mails');
  const onWebhooksQueued = (): void => scheduler.wake('deliver-webhooks');
  const metrics = createMetrics(bus, files);
  const milestones = createMilestones({ executor: database, clock, log });
  const reactions = createReactions({
    ...{ jobs, mails, bus, clock, publicUrl, onMail, onWebhooksQueued },
    onChat: milestones.noteChat,
  });
  const appendLane = createAppendLane({ database, reactions }, lane);
  const clicks = createClickLane({ database, clock, log, onLost: (count) => metrics.lostClicks.inc(count) });
  const properties = createPropertyCatalog(database.kysely);
  const payments = await openPayments(config, database, clock);
  const projectionWorker = createProjectionWorker({ database, log });
  const services: Services = {
    db: database.kysely,
    executor: database,
    clock,
    secrets,
    ...{ reactions, reactToAccountEvent },
    projections: projectionWorker,
    batchLoader: createBatchLoader(database),
    lockQueue: createLockQueue(),
    installation: {
      region: config.region,
      publicUrl,
      signUp: config.signUp,
      landingHosts: config.landingHosts,
      mailDomain: config.mailInDomain,
      locate: config.geoDatabase ? openGeoDatabase(config.geoDatabase) : locateNothing,
      isAllowedUrl: createUrlCheck({ allowPrivate: config.allowPrivateWebhooks }),
    },
    support: {
      appendLane,
      eventCache: createEventCache(),
      responseCache: createResponseCache(),
      properties,
      configurations: createConfigurationCache(database),
    },
    partners: { clicks, payments },
  };
  const web = createWeb({ allowPrivate: config.allowPrivateWebhooks });
  const webhooks = createWebhookSender(
    { database, services, web, write: webhookWriter(services), log },
    onWebhooksQueued,
  );
  const from = parseAddress(config.mailFrom);
  const mailSender = createMailSender(
    { ...{ database, clock, secrets, from, log }, transport: mail, maxConcurrent: config.smtpMaxConnections },
    onMail,
  );
  const mailFiler = createMailFiler({ database, services, files, log });
  const customers = createCustomerIdentifier(database, services);
  const scheduler: Scheduler<TaskName> = createScheduler({
    tasks: createPeriodicTasks({
      ...{ database, services, files, webhooks, mailSender, mailFiler, clicks, log },
      projections: projectionWorker,
      onQueueSizes: (sizes) => metrics.setQueueSizes(sizes, clock.now()),
    }),
    database,
    services,
    enqueue: jobs.enqueueTask,
    log,
    count: (task, outcome) => metrics.taskItems.inc({ task, outcome }),
  });
  const greeter = createGreeter({ services, log });
  const tracker = createTracker({ services, log });
  bus.subscribe(CREDENTIALS_TOPIC, customers.forget);
  bus.subscribe(PROPERTIES_TOPIC, (text) => {
    const event = readEvent(text as string);
    if (event.type === 'property_defined') properties.refresh(event.organizationId);
  });
  // Closed in reverse order: jobs and deliveries use the web client, so they end before it does.
  closing.add('mails', () => mailSender.stop(STOP_MS.mails), CLOSE_MS.jobs);
  closing.add('webhooks', () => webhooks.stop(), CLOSE_MS.webhooks);
  closing.add('web', () => web.close());
  closing.add('jobs', () => jobs.stop(STOP_MS.jobs), CLOSE_MS.jobs);
  closing.add('milestones', () => milestones.drain(), CLOSE_MS.milestones);
  closing.add('messages', () => appendLane.drain(), CLOSE_MS.lane);
  closing.add('clicks', () => clicks.stop(), CLOSE_MS.clicks);
  closing.add('scheduler', () => scheduler.stop(), CLOSE_MS.scheduler);
  closing.add('projections', () => projectionWorker.stop(), CLOSE_MS.scheduler);
  closing.add('received mails', () => mailFiler.stop(), CLOSE_MS.mail);
  closing.add('greeter', () => greeter.stop(), CLOSE_MS.greeter);
  closing.add('visitors', () => tracker.stop(), CLOSE_MS.tracker);
  const jobHandlers: JobHandlers = {
    'notify-email-verified': notifyEmailVerified(web, log),
    'mail-password-resets': ({ login }) => mailPasswordResets(database, services, login),
    'mail-confirmations': ({ login }) => mailConfirmations(database, services, login),
    'periodic-task': ({ task }) => scheduler.run(task as TaskName),
  };
  return {
    ...{ config, log, clock, publicUrl, database, services, metrics, customers },
    operatorToken: installation.operatorToken,
    ports: { bus, files, outbox, payments, web, readUrlInfo: (url) => readUrlInfo(previews, url) },
    background: { jobs, jobHandlers, webhooks, mailSender, mailFiler, scheduler, projections: projectionWorker },
    realtime: { feeds: createFeeds({ bus, services, log }), greeter, tracker },
    partners: {
      links: createLinkFinder(database),
      milestones,
      isAmongFirstClicks: createClickLimit(config.rateLimits),
    },
    signInLimits: createSignInLimits(services, config.signInLimits),
    stopping: false,
    close: () => closing.closeAll(),
  };
};

/** Opens everything; closes it again when a later step fails. */
export const openContext = async (parts: ContextParts): Promise<Context> => {
  const closing = createClosing(CLOSE_ALL_MS);
  try {
    return await openAll(parts, closing);
  } catch (error) {
    await closing.closeAll().catch((failed) => parts.log.error({ err: failed }, 'closing after a failed start failed'));
    throw error;
  }
};
