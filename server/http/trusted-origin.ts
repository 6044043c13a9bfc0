import type { FastifyRequest } from 'fastify';
import { isTrustedHost } from '#server/domain/accounts/licenses/trusted-domains.ts';
import { DomainError } from '#server/domain/errors.ts';

export const originHost = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).hostname : undefined;

/** Whether a page of another site made the request. */
export const isForeignSite = (address: string | undefined, ownUrl: string): boolean => {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== new URL(ownUrl).origin;
};

/**
 * An organization with a list of trusted domains is served only on those and their subdomains; without a list, on any.
 */
export const assertTrustedOrigin = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  trustedDomains: readonly string[],
): void => {
  if (headers.origin === undefined || trustedDomains.length === 0) return;
  const host = originHost(headers.origin);
  if (!host || !isTrustedHost(host, trustedDomains))
    throw new DomainError('forbidden', 'This domain is not trusted by the organization');
};
