import type { VisitorField } from '#server/storage/tables/visits.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { findVisitor } from '../customers/find-visitor.ts';
import { isWebhookToken } from '../webhooks/chat-ops-webhooks.ts';

export interface DetailsInput {
  /** The token from a `chat_started` webhook of the chat-ops API. */
  token: string;
  visitorId: string;
  id: string;
  fields: VisitorField[];
  icon?: string | undefined;
}

export interface VisitorDetails {
  id: string;
  fields: VisitorField[];
  icon?: string;
  updatedAt: Date;
}

const MAX_SETS = 20;
const LINKS = ['http:', 'https:', 'mailto:'];

const checkField = ({ name, value, url }: VisitorField, at: number): VisitorField => {
  if (url === undefined || url === '') return { name, value };
  const link = URL.parse(url);
  if (!link || !LINKS.includes(link.protocol))
    throw invalid(`fields.${at}.url`, 'must be an http, https or mailto URL');
  return { name, value, url: link.href };
};

/** Given without a scheme, because it is always https; the server never fetches it. */
const checkIcon = (icon: string): string => {
  const address = URL.parse(`https://${icon.replace(/^\/\//, '')}`);
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(icon) || !address?.hostname.includes('.') || address.username || address.password)
    throw invalid('icon', 'must be a URL without a scheme, for example example.com/icon.png');
  return address.href;
};

/** Stores what the account's own program knows about a visitor. A set with the same id is replaced. */
export const setVisitorDetails = async (scope: OrganizationScope, input: DetailsInput): Promise<void> => {
  if (!(await isWebhookToken(scope, input.token)))
    throw new DomainError('authentication', 'The license_id or the token is wrong');
  const { id } = input;
  const fields = JSON.stringify(input.fields.map(checkField));
  const icon = input.icon === undefined ? null : checkIcon(input.icon);
  const customerId = await findVisitor(scope, input.visitorId);
  await scope.transaction(async (tx) => {
    const updatedAt = tx.now();
    await tx
      .insert('visitorDetails', { customerId, id, fields, icon, updatedAt })
      .onConflict((conflict) =>
        conflict.columns(['organizationId', 'customerId', 'id']).doUpdateSet({ fields, icon, updatedAt }),
      )
      .execute();
    const { count } = await tx
      .from('visitorDetails')
      .where('customerId', '=', customerId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) > MAX_SETS)
      throw new DomainError('limit_reached', `A visitor can have at most ${MAX_SETS} sets of details`);
  });
};

/** The caller must check permissions. */
export const listVisitorDetails = async (scope: OrganizationScope, customerId: string): Promise<VisitorDetails[]> => {
  const rows = await scope
    .from('visitorDetails')
    .where('customerId', '=', customerId)
    .orderBy('id')
    .select(['id', 'fields', 'icon', 'updatedAt'])
    .execute();
  return rows.map(({ icon, ...row }) => ({ ...row, ...(icon === null ? {} : { icon }) }));
};
