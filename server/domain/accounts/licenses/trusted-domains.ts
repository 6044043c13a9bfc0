import { requireAdministrator, requireAgent } from '../../access.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

const MAX_DOMAINS = 500;

/** The host of a page's address, also of one that is written without its scheme. */
const hostOf = (url: string): string | undefined =>
  URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`)?.hostname || undefined;

/** A list names its domains and all below them; no list means everywhere. */
export const isTrustedHost = (host: string, trustedDomains: readonly string[]): boolean =>
  trustedDomains.length === 0 || trustedDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));

/** The same for the address of a page. */
export const isTrustedUrl = (url: string, trustedDomains: readonly string[]): boolean => {
  const host = hostOf(url);
  return trustedDomains.length === 0 || (host !== undefined && isTrustedHost(host, trustedDomains));
};

/** `*.Shop.example`, `https://shop.example/` and `shop.example` are the same domain. */
const readDomain = (text: string, index: number): string => {
  const host = hostOf(text.trim().replace(/^\*\./, ''));
  if (!host || text.length > 2048) throw invalid(`trusted_domains.${index}`, 'is no domain');
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

/** Where the widget of an account may be shown. An empty list: everywhere. */
export const setTrustedDomains = async (scope: OrganizationScope, domains: readonly string[]): Promise<void> => {
  requireAdministrator(scope.actor);
  if (domains.length > MAX_DOMAINS) throw invalid('trusted_domains', `must not be more than ${MAX_DOMAINS}`);
  const trustedDomains = [...new Set(domains.map(readDomain))];
  await scope.db.updateTable('organizations').where('id', '=', scope.organizationId).set({ trustedDomains }).execute();
};
