import type { Selectable } from 'kysely';
import type { ExpertStatus, ExpertsTable } from '#server/storage/tables/experts.ts';
import { requirePartner } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';

export type ExpertRecord = Selectable<ExpertsTable>;

/** A partner who only uploaded a logo is not an expert yet. */
export const findExpert = (scope: PartnerScope): Promise<ExpertRecord | undefined> =>
  scope.from('experts').where('status', '!=', 'draft').selectAll().executeTakeFirst();

export const getExpert = async (scope: PartnerScope): Promise<ExpertRecord> => {
  requirePartner(scope.actor);
  const expert = await findExpert(scope);
  if (!expert) throw new DomainError('forbidden', 'You are not an expert');
  return expert;
};

export type ExpertChanges = Omit<
  ExpertRecord,
  'partnerId' | 'status' | 'logoKey' | 'createdAt' | 'updatedAt' | 'agents' | 'languages'
> & { agents?: string | undefined; languages?: string[] | undefined };

/** Categories that sell people's work require the number of agents and their languages. */
const WITH_PEOPLE = ['outsourcing-customer-service', 'lead-generation'];

const assertPeople = ({ categories, agents, languages }: ExpertChanges): void => {
  if (!categories.some((category) => WITH_PEOPLE.includes(category))) return;
  if (!agents) throw invalid('agents', `is required with the categories ${WITH_PEOPLE.join(' and ')}`);
  if (!languages?.length) throw invalid('languages', `is required with the categories ${WITH_PEOPLE.join(' and ')}`);
};

/**
 * Replaces the whole profile. An approved expert stays approved, since the operator can withdraw the approval; a rejected expert
 * is reviewed again.
 */
export const saveExpert = async (scope: PartnerScope, changes: ExpertChanges): Promise<void> => {
  requirePartner(scope.actor);
  assertPeople(changes);
  const { agents = '', languages = [], ...profile } = changes;
  const { numUpdatedRows } = await scope
    .update('experts')
    .where('logoKey', 'is not', null)
    .set((eb) => ({
      ...profile,
      agents,
      languages,
      status: eb
        .case()
        .when('status', '=', 'approved')
        .then<ExpertStatus>('approved')
        .else<ExpertStatus>('pending')
        .end(),
      updatedAt: scope.now(),
    }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new DomainError('forbidden', 'Upload a logo first');
};
