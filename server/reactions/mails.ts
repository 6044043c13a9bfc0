import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '#server/domain/events.ts';
import type { Jobs } from '#server/jobs/index.ts';

type MailJob = Jobs['send-mail'];
type Event<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

const messageId = (): string => `<${randomUUID()}@parley>`;

/** A stranger can sign up with any address, so mails to it do not contain the name that was entered. */
const greetingTo = (name: string, byStranger = false): string => (byStranger ? 'Hello' : `Hello ${name}`);

const addressee = (name: string, address: string, byStranger = false): MailJob['to'] =>
  byStranger ? { address } : { name, address };

export const welcomeOwner = (event: Event<'organization_created'>, publicUrl: string): MailJob => ({
  to: addressee(event.ownerName, event.ownerLogin, event.byStranger),
  subject: event.byStranger ? 'Welcome to Parley' : `Welcome to Parley, ${event.name}`,
  text: `${greetingTo(event.ownerName, event.byStranger)},\n\nyour support chat is ready at ${publicUrl}.\nYour login is ${event.ownerLogin}; your organization id is ${event.organizationId}.\n`,
  messageId: messageId(),
});

export const welcomePartner = (event: Event<'partner_created'>, publicUrl: string): MailJob => ({
  to: addressee(event.firstName, event.login, event.byStranger),
  subject: 'Welcome to the Parley partner programme',
  text: `${greetingTo(event.firstName, event.byStranger)},\n\nyour partner account ${event.partnerId} is ready. The API answers at ${publicUrl}/v2/partners.\n`,
  messageId: messageId(),
});

/** Anyone can request this mail for any address, so it contains nothing else that the requester entered. */
export const verifyEmail = ({ email, secret }: Event<'email_verification_requested'>, publicUrl: string): MailJob => ({
  to: { address: email },
  subject: 'Please confirm your e-mail address',
  text: `Hello,\n\nsomebody, probably you, gave this address in a support chat. To confirm that it is yours, open\n\n${publicUrl}/verify-email/${secret}\n\nwithin seven days. If it was not you, do nothing: then nothing happens.\n`,
  messageId: messageId(),
});

/** An administrator can enter any address, so the mail contains nothing else that they entered. */
export const activateAgent = ({ login, secret }: Event<'agent_invited'>, publicUrl: string): MailJob => ({
  to: { address: login },
  subject: 'Activate your Parley account',
  text: `Hello,\n\nyou were added as an agent to a support chat. To choose your password, open\n\n${publicUrl}/activate/${secret}\n\nwithin seven days. If you do not expect this, do nothing: then nothing happens.\n`,
  messageId: messageId(),
});

export const dismissAgent = ({ login }: Event<'agent_dismissed'>): MailJob => ({
  to: { address: login },
  subject: 'Your Parley account was removed',
  text: 'Hello,\n\nan administrator removed your account from a support chat. Your login and your API key no longer work; the chats you answered stay in the archive.\n',
  messageId: messageId(),
});

/** Anyone can request this mail for any address, so it contains nothing else that the requester entered. */
export const resetPassword = (
  { login, organizationId, secret }: Event<'password_reset_requested'>,
  publicUrl: string,
): MailJob => ({
  to: { address: login },
  subject: 'Choose another password',
  text: `Hello,\n\nsomebody, probably you, forgot the password of ${login} (organization ${organizationId}). To choose another, open\n\n${publicUrl}/console/reset-password?token=${secret}\n\nwithin an hour. All browsers are signed out then. If it was not you, do nothing: then nothing happens.\n`,
  messageId: messageId(),
});
