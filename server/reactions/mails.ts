import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '#server/domain/events.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';

type Event<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

const messageId = (): string => `<${randomUUID()}@parley>`;

/** Anyone can sign up with any address, so mails to it do not contain the name that was entered. */
const greetingTo = (name: string, isUntrustedInput = false): string => (isUntrustedInput ? 'Hello' : `Hello ${name}`);

const addressee = (name: string, address: string, isUntrustedInput = false): OutgoingMail['to'] =>
  isUntrustedInput ? { address } : { name, address };

/** Accounts of strangers are limited until they confirm the address. */
const confirmText = (secret: string | undefined, publicUrl: string): string =>
  secret
    ? `\nConfirm that this email address belongs to you:\n\n${publicUrl}/verify-email/${secret}\n\nThe link expires in 7 days. If you didn't sign up, ignore this email.\n`
    : '';

export const welcomeOwner = (event: Event<'organization_created'>, publicUrl: string): OutgoingMail => ({
  to: addressee(event.ownerName, event.ownerLogin, event.isUntrustedInput),
  subject: event.isUntrustedInput ? 'Welcome to Parley' : `Welcome to Parley, ${event.name}`,
  text: `${greetingTo(event.ownerName, event.isUntrustedInput)},\n\nYour Parley account is ready. Sign in as ${event.ownerLogin}:\n\n${publicUrl}/console\n\nYour organization ID is ${event.organizationId}.\n${confirmText(event.secret, publicUrl)}`,
  messageId: messageId(),
});

export const welcomePartner = (event: Event<'partner_created'>, publicUrl: string): OutgoingMail => ({
  to: addressee(event.firstName, event.login, event.isUntrustedInput),
  subject: 'Welcome to the Parley partner program',
  text: `${greetingTo(event.firstName, event.isUntrustedInput)},\n\nYour partner account is ready. Your partner ID is ${event.partnerId}.\n\nPartner API: ${publicUrl}/v2/partners\nDocumentation: ${publicUrl}/docs/partner\n${confirmText(event.secret, publicUrl)}`,
  messageId: messageId(),
});

const CLAIMS: Record<Event<'address_confirmation_requested'>['kind'], (ownerId: string) => string> = {
  customer: () => 'This email address was entered in a support chat.',
  agent: (id) => `This email address is used to sign in to Parley (organization ${id}).`,
  partner: (id) => `This email address is used for a partner account at Parley (partner ID ${id}).`,
  support_address: (id) =>
    `A Parley account (organization ${id}) wants to receive the mail to this address as support tickets.`,
};

/** Anyone can request this mail for any address, so it contains nothing else that the requester entered. */
export const confirmAddress = (
  { kind, ownerId, address, secret }: Event<'address_confirmation_requested'>,
  publicUrl: string,
): OutgoingMail => ({
  to: { address },
  subject: 'Confirm your email address',
  text:
    kind === 'support_address'
      ? `Hello,\n\n${CLAIMS[kind](ownerId)} If that's you, enter this code in the ticket email settings of the console:\n\n${secret}\n\nThe code expires in 24 hours. Don't share it. If it wasn't you, ignore this email.\n`
      : `Hello,\n\n${CLAIMS[kind](ownerId)} Confirm that it belongs to you:\n\n${publicUrl}/verify-email/${secret}\n\nThe link expires in 7 days. If it wasn't you, ignore this email.\n`,
  messageId: messageId(),
});

/** An administrator can enter any address, so the mail contains nothing else that they entered. */
export const activateAgent = ({ login, secret }: Event<'agent_invited'>, publicUrl: string): OutgoingMail => ({
  to: { address: login },
  subject: 'You’ve been invited to Parley',
  text: `Hello,\n\nYou've been invited to join a support team on Parley. Set your password to activate your account:\n\n${publicUrl}/activate/${secret}\n\nThe link expires in 7 days. If you weren't expecting this invitation, ignore this email.\n`,
  messageId: messageId(),
});

export const dismissAgent = ({ login }: Event<'agent_dismissed'>): OutgoingMail => ({
  to: { address: login },
  subject: 'Your Parley account has been removed',
  text: 'Hello,\n\nAn administrator removed your Parley account. You can no longer sign in, and your API key has been revoked. Your chats remain in the archive.\n',
  messageId: messageId(),
});

/** Anyone can request this mail for any address, so it contains nothing else that the requester entered. */
export const resetPassword = (
  { login, organizationId, secret }: Event<'password_reset_requested'>,
  publicUrl: string,
): OutgoingMail => ({
  to: { address: login },
  subject: 'Reset your password',
  text: `Hello,\n\nWe received a request to reset the password for ${login} (organization ${organizationId}). Set a new password:\n\n${publicUrl}/console/reset-password?token=${secret}\n\nThe link expires in 1 hour. Resetting your password signs you out everywhere. If it wasn't you, ignore this email.\n`,
  messageId: messageId(),
});
