import type { OrganizationScope } from '#server/domain/scope.ts';
import { createCannedResponse } from '#server/domain/support/canned-responses/manage-canned-responses.ts';
import { createTag } from '#server/domain/support/tags/manage-tags.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';

export const TAGS = ['delivery', 'returns', 'praise'] as const;

const CANNED = [
  { tags: ['hello'], text: 'Hello, and welcome to our shop! How can I help you?' },
  { tags: ['delivery'], text: 'Orders leave our workshop within two days and arrive three to five days later.' },
  { tags: ['returns'], text: 'You can send everything back within 30 days. Shall I send you a label?' },
];

const TICKETS = [
  {
    requester: { mail: 'ines@home.example', name: 'Ines Duarte' },
    subject: 'The lamp came without its shade',
    message: 'Hello, my oak lamp arrived today, but there is no shade in the box. Could you send one?',
  },
  {
    requester: { mail: 'noah@home.example', name: 'Noah Fischer' },
    subject: 'Invoice for our company',
    message: 'Could you write our company name on the invoice of last week? Thank you!',
  },
];

/** Typical settings of an owner, and unanswered tickets. */
export const addSampleData = async (owner: OrganizationScope, login: string): Promise<void> => {
  for (const name of TAGS) await createTag(owner, { name, groupId: 0, author: login });
  for (const response of CANNED) await createCannedResponse(owner, response);
  for (const ticket of TICKETS) await createTicket(owner, { ...ticket, source: { type: 'mail' } });
};
