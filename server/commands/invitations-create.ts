import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { INVITATION_LIFETIME_MS, type InvitationKind } from '../domain/accounts/invitations/invitations.ts';
import { createSecrets, randomSecret } from '../domain/secrets.ts';
import { loadInstallationSecrets } from '../installation-secrets.ts';
import { type Command, UsageError } from './command.ts';
import { publicUrlOf } from './public-url.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- invitations create <organization|partner> [--email <address>]

Prints a link to the sign-up page with an invitation, which is needed while SIGNUP is "invite". It works once and expires
after 14 days.

  --email <address>   only this address can use the invitation`;

const readOptions = (args: string[]): { kind: InvitationKind; email: string | null } => {
  try {
    const { values, positionals } = parseArgs({ args, options: { email: { type: 'string' } }, allowPositionals: true });
    const [kind, ...rest] = positionals;
    if ((kind !== 'organization' && kind !== 'partner') || rest.length > 0)
      throw new Error('Expected "organization" or "partner"');
    return { kind, email: values.email?.toLowerCase() ?? null };
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

export const invitationsCreate: Command = {
  help,
  run: async (args, { env, print, reportProgress }) => {
    const { kind, email } = readOptions(args);
    const config = readConfig(env);
    const code = randomSecret();
    await withDatabase(config, reportProgress, async ({ kysely }) => {
      const codeHash = createSecrets(loadInstallationSecrets(config).secretKey).hash(code);
      const createdAt = new Date();
      const expiresAt = new Date(createdAt.getTime() + INVITATION_LIFETIME_MS);
      await kysely.insertInto('invitations').values({ codeHash, kind, email, createdAt, expiresAt }).execute();
    });
    print(`${publicUrlOf(config)}/${kind === 'partner' ? 'join' : 'signup'}?invitation=${code}`);
  },
};
