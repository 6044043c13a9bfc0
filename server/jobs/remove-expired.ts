import { removeExpiredCredentials } from '#server/domain/remove-expired-credentials.ts';
import type { OrganizationScope, Services } from '#server/domain/scope.ts';
import { removeExpiredAttempts } from '#server/domain/support/agents/sign-in/sign-in-attempts.ts';
import { removeOldTranscriptMails } from '#server/domain/support/archives/send-transcript.ts';
import { removeExpiredCustomerTokens } from '#server/domain/support/customers/tokens.ts';
import { expiryOf } from '#server/domain/support/files/records.ts';
import { removeExpiredFiles } from '#server/domain/support/files/remove-expired.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import type { Executor } from '#server/storage/executor.ts';
import { findOrganizationsWithEndedTokens, findOrganizationsWithUnusedFiles } from '#server/storage/platform.ts';
import { beginRun } from './each-organization.ts';
import type { Nothing } from './index.ts';
import type { JobLog } from './job-log.ts';

interface Tools {
  database: Executor;
  services: Services;
  log: JobLog;
}

/** One organization after the other, until nothing is left; what somebody else holds now waits for the next time. */
const removeAll = async (
  { services, log }: Tools,
  list: () => Promise<string[]>,
  remove: (scope: OrganizationScope) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<void> => {
  const forEach = beginRun(services, log, signal);
  for (let removed = 1; removed > 0; ) {
    removed = 0;
    await forEach(await list(), async (scope) => {
      removed += await remove(scope);
    });
  }
};

export const removeAllExpiredFiles =
  (tools: Tools, files: FileStore) =>
  (_: Nothing, signal?: AbortSignal): Promise<void> =>
    removeAll(
      tools,
      () => findOrganizationsWithUnusedFiles(tools.database, expiryOf(tools.services.clock.now())),
      (scope) => removeExpiredFiles(scope, files),
      signal,
    );

const removeExpired = async (scope: OrganizationScope): Promise<number> =>
  (await removeExpiredCustomerTokens(scope)) +
  (await removeExpiredCredentials(scope)) +
  (await removeOldTranscriptMails(scope));

export const removeAllExpiredTokens =
  (tools: Tools) =>
  async (_: Nothing, signal?: AbortSignal): Promise<void> => {
    const { database, services } = tools;
    const now = services.clock.now();
    await removeExpiredAttempts(database, now);
    await removeAll(tools, () => findOrganizationsWithEndedTokens(database, now), removeExpired, signal);
  };
