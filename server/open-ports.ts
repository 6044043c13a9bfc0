import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './domain/clock.ts';
import type { Bus } from './ports/bus/bus.ts';
import { createMemoryBus } from './ports/bus/memory.ts';
import type { MailTransport } from './ports/mail/mail.ts';
import { noPayments, type Payments } from './ports/payments/payments.ts';
import { createSandbox } from './ports/payments/sandbox.ts';
import type { Database } from './storage/database.ts';

/** Clients of external servers are imported only when configured, which makes the start faster. */
export const openBus = async ({ natsUrl }: Config, log: Logger): Promise<Bus> => {
  if (!natsUrl) return createMemoryBus(log);
  const { connectNatsBus } = await import('./ports/bus/nats.ts');
  return connectNatsBus({ url: natsUrl, log });
};

export const openSmtp = async (url: string, maxConnections: number): Promise<MailTransport> => {
  const { createSmtpTransport } = await import('./ports/mail/smtp.ts');
  return createSmtpTransport({ url, maxConnections });
};

export const openPayments = async (
  { recurlyApiKey, recurlyUrl, paymentsSandbox }: Config,
  database: Database,
  clock: Clock,
): Promise<Payments> => {
  if (recurlyApiKey) {
    const { createRecurly } = await import('./ports/payments/recurly.ts');
    return createRecurly({ apiKey: recurlyApiKey, url: recurlyUrl });
  }
  return paymentsSandbox ? createSandbox(database, () => clock.now()) : noPayments;
};
