import type { Logger } from 'pino';
import type { Services } from '#server/domain/scope.ts';
import { renewDue } from '#server/domain/subscriptions/renew.ts';

/** Charges what is due, and finishes what was left open. */
export const renewSubscriptions = (services: Services, log: Logger) => (): Promise<void> =>
  renewDue(services, (err, about) => log.error({ err, ...about }, 'a subscription could not be charged'));
