import { viewersCountedBefore } from '#server/domain/partners/experts/views.ts';
import { removeExpiredCredentials } from '#server/domain/remove-expired-credentials.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { removeExpiredAttempts } from '#server/domain/support/agents/sign-in/sign-in-attempts.ts';
import { removeOldTranscriptMails } from '#server/domain/support/archives/send-transcript.ts';
import { removeExpiredCustomerTokens } from '#server/domain/support/customers/tokens.ts';
import { expiryOf } from '#server/domain/support/files/records.ts';
import { removeExpiredFiles } from '#server/domain/support/files/remove-expired.ts';
import type { FileStore } from '#server/ports/files/files.ts';
import type { Executor } from '#server/storage/executor.ts';
import { findOrganizationsWithEndedTokens, findOrganizationsWithUnusedFiles } from '#server/storage/platform.ts';
import { removeOldViewers } from '#server/storage/platform-experts.ts';
import { removeFailedMails } from '#server/storage/platform-mails.ts';
import type { PeriodicTask, TaskRun } from './scheduler.ts';

const KEEP_FAILED_MAILS_MS = 30 * 24 * 3600 * 1000;

/** Removes in batches until a round over all organizations removes nothing; locked rows wait for the next run. */
const removeAll = async (
  { forEach }: TaskRun,
  list: () => Promise<string[]>,
  remove: (scope: OrganizationScope) => Promise<number>,
): Promise<void> => {
  for (let removed = 1; removed > 0; ) {
    removed = 0;
    const items = (await list()).map((organizationId) => ({ organizationId }));
    await forEach(items, async (scope) => {
      removed += await remove(scope);
    });
  }
};

export const removeAllExpiredFiles =
  (database: Executor, now: () => Date, files: FileStore): PeriodicTask['run'] =>
  (run) =>
    removeAll(
      run,
      () => findOrganizationsWithUnusedFiles(database, expiryOf(now())),
      (scope) => removeExpiredFiles(scope, files),
    );

const removeExpired = async (scope: OrganizationScope): Promise<number> =>
  (await removeExpiredCustomerTokens(scope)) +
  (await removeExpiredCredentials(scope)) +
  (await removeOldTranscriptMails(scope));

export const removeAllExpiredTokens =
  (database: Executor, now: () => Date): PeriodicTask['run'] =>
  async (run) => {
    await removeExpiredAttempts(database, now());
    await removeFailedMails(database, new Date(now().getTime() - KEEP_FAILED_MAILS_MS));
    await removeOldViewers(database, viewersCountedBefore(now()));
    await removeAll(run, () => findOrganizationsWithEndedTokens(database, now()), removeExpired);
  };
