import { createHmac } from 'node:crypto';
import type { Services } from '#server/domain/scope.ts';
import { joinUrl } from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import {
  type Attempt,
  type LeasedDelivery,
  recordAttempt,
  recordVerified,
} from '#server/domain/support/webhooks/send-queue.ts';
import { RefusedAddressError, type Web, WebFailureError } from '#server/ports/web/web.ts';
import type { Executor } from '#server/storage/executor.ts';
import type { JobLog } from './job-log.ts';

const RESPONSE_TIMEOUT_MS = 10_000;
/** Only the status of the response matters; the rest of a long body is not read. */
const MAX_ANSWER_BYTES = 1_024;
const MAX_ERROR_LENGTH = 300;

/** Builds the body of a delivery in the format its receiver expects. */
export type WriteWebhook = (delivery: LeasedDelivery, secretKey: string) => Promise<string> | string;

export interface DeliveryTools {
  database: Executor;
  services: Pick<Services, 'clock' | 'secrets'>;
  web: Web;
  write: WriteWebhook;
  log: JobLog;
}

/** The signature that receivers verify: an HMAC with their secret key over timestamp and body. */
export const signWebhook = (secretKey: string, timestamp: number, body: string): string =>
  `sha256=${createHmac('sha256', secretKey).update(`${timestamp}.${body}`).digest('hex')}`;

const send = async ({ services, web, write }: DeliveryTools, delivery: LeasedDelivery): Promise<Attempt> => {
  const { credentialsSealed } = delivery;
  const secretKey = services.secrets.unseal(delivery.secretKeySealed);
  const body = await write(delivery, secretKey);
  const timestamp = Math.floor(services.clock.now().getTime() / 1000);
  const { status } = await web.request({
    url: joinUrl(delivery.url, credentialsSealed ? services.secrets.unseal(credentialsSealed) : undefined),
    allowCredentials: credentialsSealed !== null,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-parley-delivery': delivery.id,
      'x-parley-timestamp': String(timestamp),
      'x-parley-signature': signWebhook(secretKey, timestamp, body),
    },
    body,
    timeoutMs: RESPONSE_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    accept: () => false,
  });
  const delivered = status >= 200 && status < 300;
  return { delivered, status, ...(delivered ? {} : { error: `answered ${status}` }) };
};

/** An internal error counts as a failed attempt too; otherwise a delivery whose body cannot be built would be retried forever. */
const explain = (error: unknown, log: JobLog): string => {
  if (error instanceof RefusedAddressError || error instanceof WebFailureError)
    return error.message.slice(0, MAX_ERROR_LENGTH);
  log.error({ err: error }, 'building a webhook body failed');
  return 'the body could not be built';
};

/** Sends a delivery and records the outcome. `closed`: it was interrupted by a shutdown, which is not an attempt. */
export const deliver = async (
  tools: DeliveryTools,
  delivery: LeasedDelivery,
): Promise<'delivered' | 'failed' | 'closed'> => {
  const { database, services } = tools;
  let attempt: Attempt;
  try {
    attempt = await send(tools, delivery);
  } catch (error) {
    if (error instanceof WebFailureError && error.reason === 'closed') return 'closed';
    attempt = { delivered: false, error: explain(error, tools.log) };
  }
  await recordAttempt(database, delivery, attempt, services.clock.now());
  if (attempt.delivered && delivery.dataTypes) await recordVerified(database, delivery);
  return attempt.delivered ? 'delivered' : 'failed';
};
