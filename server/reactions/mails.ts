import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '#server/domain/events.ts';
import type { Jobs } from '#server/jobs/index.ts';

type MailJob = Jobs['send-mail'];
type Event<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

const messageId = (): string => `<${randomUUID()}@parley>`;

export const welcomeOwner = (event: Event<'organization_created'>, publicUrl: string): MailJob => ({
  to: { name: event.ownerName, address: event.ownerLogin },
  subject: `Welcome to Parley, ${event.name}`,
  text: `Hello ${event.ownerName},\n\nyour support chat is ready at ${publicUrl}.\nYour login is ${event.ownerLogin}; your organization id is ${event.organizationId}.\n`,
  messageId: messageId(),
});

export const welcomePartner = (event: Event<'partner_created'>, publicUrl: string): MailJob => ({
  to: { name: event.firstName, address: event.login },
  subject: 'Welcome to the Parley partner programme',
  text: `Hello ${event.firstName},\n\nyour partner account ${event.partnerId} is ready. The API answers at ${publicUrl}/v2/partners.\n`,
  messageId: messageId(),
});
