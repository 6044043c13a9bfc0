import { requireAdministrator, requireAgent } from '../../access.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

const MAX_DOMAINS = 500;

/** The host of a URL, also without a scheme. */
const hostOf = (url: string): string | undefined =>
  URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`)?.hostname || undefined;

/** Whether the host is one of the domains or a subdomain of one. An empty list trusts every host. */
export const isTrustedHost = (host: string, trustedDomains: readonly string[]): boolean =>
  trustedDomains.length === 0 || trustedDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** Whether the host of the URL is trusted. */
export const isTrustedUrl = (url: string, trustedDomains: readonly string[]): boolean => {
  const host = hostOf(url);
  return trustedDomains.length === 0 || (host !== undefined && isTrustedHost(host, trustedDomains));
};

/** `*.Shop.example`, `https://shop.example/` and `shop.example` are the same domain. */
const readDomain = (text: string, index: number): string => {
  const host = hostOf(text.trim().replace(/^\*\./, ''));
  if (!host || text.length > 2048)
    throw invalid(`trustedDomains.${index}`, 'must be a domain name, for example shop.example');
  return host;
};

export const getTrustedDomains = async (scope: OrganizationScope): Promise<string[]> => {
  requireAgent(scope.actor);
  const { trustedDomains } = await scope.db
    .selectFrom('organizations')
    .where('id', '=', scope.organizationId)
    .select('trustedDomains')
    .executeTakeFirstOrThrow();
  return trustedDomains;
};

/** Sets the domains on which the widget may be shown. An empty list allows every domain. */
export const setTrustedDomains = async (scope: OrganizationScope, domains: readonly string[]): Promise<void> => {
  requireAdministrator(scope.actor);
  if (domains.length > MAX_DOMAINS) throw invalid('trustedDomains', `must have at most ${MAX_DOMAINS} domains`);
  const trustedDomains = [...new Set(domains.map(readDomain))];
  await scope.db.updateTable('organizations').where('id', '=', scope.organizationId).set({ trustedDomains }).execute();
};
