import type { Logger } from 'pino';
import { renewDue } from '#server/domain/partners/subscriptions/renew.ts';
import type { Services } from '#server/domain/scope.ts';

/** Charges what is due, and finishes what was left open. */
export const renewSubscriptions = (services: Services, log: Logger) => (): Promise<void> =>
  renewDue(services, (err, about) => log.error({ err, ...about }, 'a subscription could not be charged'));
