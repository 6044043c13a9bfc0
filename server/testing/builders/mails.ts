import { receiveMail } from '#server/domain/support/tickets/mail/receive-mail.ts';
import { mailIntakeOf } from '#server/mail-in.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestOrganization } from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';

export const DOMAIN = 'in.parley.test';

export const createEmail = (id: string, text = 'help', ...headers: string[]): string[] => [
  ...['From: ann@home.test', `Message-ID: <${id}@home.test>`, 'Subject: Lamp', ...headers],
  ...['', text],
];

/** Helpers to receive emails and to list tickets and sent emails. */
export const createMailHelpers = (test: TestApp) => ({
  receive: (
    { licenseNumber }: TestOrganization,
    lines: string[],
    { from = 'ann@home.test', to = '' } = {},
    app = test,
  ): Promise<number> =>
    receiveMail(mailIntakeOf(app.context), {
      raw: Buffer.from(lines.join('\r\n')),
      envelopeFrom: from,
      recipients: [to || `${licenseNumber}@${DOMAIN}`],
    }),
  list: async ({ owner }: TestOrganization) => (await callAsAgent(test)(owner, 'list_tickets')).body.tickets,
  mailsTo: async (address: string) =>
    (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === address),
});
