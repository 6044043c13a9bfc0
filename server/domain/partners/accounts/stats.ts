import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '#server/storage/tables/index.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';

/** Counts of licenses by their current status. */
export interface LicenseCounts {
  trials: number;
  trialsWithCard: number;
  paid: number;
}

export interface PartnerStats {
  own: Record<Program, Record<Product, LicenseCounts>>;
  /** Licenses of the partners that this partner referred. */
  referred: LicenseCounts;
  partnersReferred: number;
}

const counts = (eb: ExpressionBuilder<Tables, 'referredLicenses'>) =>
  [
    eb.fn.countAll<number>().filterWhere('status', '=', 'trial').as('trials'),
    eb.fn
      .countAll<number>()
      .filterWhere('status', '=', 'trial')
      .filterWhere('cardAddedAt', 'is not', null)
      .as('trialsWithCard'),
    eb.fn.countAll<number>().filterWhere('status', '=', 'active').as('paid'),
  ] as const;

const none = (): LicenseCounts => ({ trials: 0, trialsWithCard: 0, paid: 0 });
const perProduct = (): Record<Product, LicenseCounts> => ({ mainchat: none(), chatbot: none(), helpdesk: none() });

export const readStats = async (scope: PartnerScope): Promise<PartnerStats> => {
  requirePartner(scope.actor);
  const rows = await scope
    .from('referredLicenses')
    .groupBy(['program', 'product'])
    .select(['program', 'product'])
    .select((eb) => counts(eb))
    .execute();
  const own = { affiliate: perProduct(), solution: perProduct() };
  for (const { program, product, ...found } of rows) own[program][product] = found;
  const { partnersReferred, ...referred } = await readReferred(scope);
  return { own, referred, partnersReferred };
};

const readReferred = async ({ executor, partnerId }: PartnerScope) => {
  const { rows } = await executor.query<LicenseCounts & { partnersReferred: number }>({
    text: `select count(distinct p.referred_id) as "partnersReferred", count(*) filter (where l.status = 'trial') as trials,
        count(*) filter (where l.status = 'trial' and l.card_added_at is not null) as "trialsWithCard",
        count(*) filter (where l.status = 'active') as paid
      from referred_partners p left join referred_licenses l on l.partner_id = p.referred_id
      where p.partner_id = $1`,
    values: [partnerId],
  });
  return rows[0]!;
};
