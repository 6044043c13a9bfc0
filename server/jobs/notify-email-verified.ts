import type { Web } from '#server/ports/web/web.ts';
import type { JobLog } from './job-log.ts';

export interface VerifiedEmailCallback {
  callbackUri: string;
  organizationId: string;
  customerId: string;
  email: string;
  /** As text, because jobs are stored as JSON. */
  verifiedAt: string;
}

const TIMEOUT_MS = 10_000;

/** Calls the URL that asked for the verification. It is called once, so a failure is only logged. */
export const notifyEmailVerified =
  (web: Web, log: JobLog) =>
  async ({ callbackUri, organizationId, customerId, email, verifiedAt }: VerifiedEmailCallback): Promise<void> => {
    const about = { organizationId, customerId };
    try {
      const { status } = await web.request({
        url: callbackUri,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          email,
          customer_id: customerId,
          organization_id: organizationId,
          verified_at: `${verifiedAt.slice(0, -1)}000Z`,
        }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: 0,
        maxRedirects: 0,
        accept: () => false,
      });
      log.info({ ...about, status }, 'email verification callback sent');
    } catch (error) {
      log.error({ err: error, ...about }, 'email verification callback failed');
    }
  };
