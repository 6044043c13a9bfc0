import type { InjectOptions } from 'fastify';
import { newCode } from '#server/domain/partners/campaigns/links.ts';
import { openPartnerScope, type PartnerScope } from '#server/domain/scope.ts';
import type { CampaignProduct } from '#server/storage/tables/program.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';

export const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

export interface TestLink {
  id: number;
  slug: string;
  code: string;
}

export interface TestReferrer {
  id: number;
  login: string;
  scope: PartnerScope;
  /** The default link for a product. */
  linkOf(product: CampaignProduct): Promise<TestLink>;
  addLink(
    input?: Partial<{
      product: CampaignProduct;
      slug: string;
      landingUrl: string;
      trialDays: number;
      couponId: number;
    }>,
  ): Promise<TestLink>;
  disable(link: TestLink): Promise<void>;
  block(): Promise<void>;
  clicks(): Promise<
    { id: string; campaignId: number; visitorId: string; utmMedium: string; referrer: string | null }[]
  >;
  reasons(): Promise<string[]>;
}

/** A partner with links to click. */
export const buildReferrer = async (test: TestApp): Promise<TestReferrer> => {
  const { id, login } = await buildPartner(test);
  const scope = openPartnerScope(test.context.services, { kind: 'partner', id }, id);
  let count = 0;
  return {
    id,
    login,
    scope,
    linkOf: (product) =>
      scope
        .from('campaigns')
        .where('product', '=', product)
        .where('isDefault', '=', true)
        .select(['id', 'slug', 'code'])
        .executeTakeFirstOrThrow(),
    addLink: async (input = {}) => {
      const slug = input.slug ?? `pp_link-${++count}`;
      const row = { product: 'mainchat' as const, ...input, slug, name: slug, code: newCode(), createdAt: scope.now() };
      return scope.insert('campaigns', row).returning(['id', 'slug', 'code']).executeTakeFirstOrThrow();
    },
    disable: async (link) => {
      await scope.update('campaigns').where('id', '=', link.id).set({ disabledAt: scope.now() }).execute();
    },
    block: async () => {
      await scope.db.updateTable('partners').where('id', '=', id).set({ blocked: true }).execute();
    },
    clicks: async () => {
      await test.context.services.partners.clicks.flush();
      const columns = ['id', 'campaignId', 'visitorId', 'utmMedium', 'referrer'] as const;
      return scope.from('clicks').orderBy('clickedAt').select(columns).execute();
    },
    reasons: async () => {
      await test.context.services.partners.clicks.flush();
      const rows = await scope.from('uncountedClicks').orderBy('clickedAt').select('reason').execute();
      return rows.map(({ reason }) => reason);
    },
  };
};

/** A visitor with a separate cookie jar. */
export const openVisitor = ({ app }: TestApp, { ip = '192.0.2.1', userAgent = BROWSER } = {}) => {
  let cookie: string | undefined;
  const send = async ({ headers, ...options }: InjectOptions & { url: string }) => {
    const response = await app.inject({
      method: 'GET',
      remoteAddress: ip,
      ...options,
      headers: { 'user-agent': userAgent, ...(cookie ? { cookie } : {}), ...headers },
    });
    const [visitor] = response.cookies;
    if (visitor?.name === 'parley_visitor') cookie = `parley_visitor=${visitor.value}`;
    return response;
  };
  return {
    send,
    follow: ({ code }: { code: string }, headers: Record<string, string> = {}) => send({ url: `/go/${code}`, headers }),
    cookie: () => cookie,
    forget: () => {
      cookie = undefined;
    },
  };
};
