import type { Context } from '#server/context.ts';
import { requireCustomer } from '#server/domain/access.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import type { NewEvent } from '#server/domain/support/chats/records.ts';
import { isTicketForm } from '#server/domain/support/tickets/from-form.ts';
import { createQuota, type Quota, type QuotaHolder } from '#server/http/rate-limit.ts';

/** What customers may store; exceeding it is `too_many_requests`. */
export interface CustomerQuotas {
  countChat(scope: OrganizationScope): void;
  /** Counts the ticket forms among the events. */
  countTickets(scope: OrganizationScope, events: NewEvent[]): void;
  countUpload(scope: OrganizationScope, bytes: number): void;
}

const holderOf = ({ actor, organizationId }: OrganizationScope): QuotaHolder => {
  const { id: visitorId, browser } = requireCustomer(actor);
  return { visitorId, ip: browser?.ip, organizationId };
};

export const createCustomerQuotas = ({ config: { rateLimits } }: Pick<Context, 'config'>): CustomerQuotas => {
  const quotas = {
    chats: createQuota('chats', rateLimits),
    tickets: createQuota('tickets', rateLimits),
    uploadedBytes: createQuota('uploadedBytes', rateLimits),
  } satisfies Record<string, Quota>;
  return {
    countChat: (scope) => quotas.chats(holderOf(scope)),
    countTickets: (scope, events) => {
      const forms = events.filter(({ content }) => content.type !== 'file' && isTicketForm(content)).length;
      if (forms > 0) quotas.tickets(holderOf(scope), forms);
    },
    countUpload: (scope, bytes) => quotas.uploadedBytes(holderOf(scope), bytes),
  };
};
