import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { SIGN_IN_LINK_LIFETIME_MS } from '../domain/accounts/agents/email-tokens.ts';
import { createSecrets, randomSecret } from '../domain/secrets.ts';
import { loadInstallationSecrets } from '../installation-secrets.ts';
import type { Database } from '../storage/database.ts';
import { findPasswords, type PasswordRow } from '../storage/platform.ts';
import { ownedRows } from '../storage/scope.ts';
import { type Command, UsageError } from './command.ts';
import { publicUrlOf } from './public-url.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- agents login-link <login> [--organization <id>] [--reset-2fa]

Prints a sign-in link that works once and expires after an hour. Use it if an agent lost access to email or to the
authenticator app.

  --organization <id>   required if the login belongs to several organizations
  --reset-2fa           turns off two-factor authentication and revokes the recovery codes`;

const MAX_ACCOUNTS = 10;

const readOptions = (args: string[]) => {
  try {
    const options = { organization: { type: 'string' }, 'reset-2fa': { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { logins: positionals, organization: values.organization, resetTwoFactor: values['reset-2fa'] ?? false };
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
};

const findAccount = async (
  database: Database,
  login: string,
  organization: string | undefined,
): Promise<PasswordRow> => {
  const accounts = await findPasswords(database, { login: login.toLowerCase() }, MAX_ACCOUNTS);
  const found = accounts.filter(({ organizationId }) => organization === undefined || organizationId === organization);
  if (found.length > 1)
    throw new UsageError(
      `${login} belongs to several organizations. Choose one with --organization: ${found.map(({ organizationId }) => organizationId).join(', ')}`,
    );
  if (!found[0]) throw new UsageError(`No agent "${login}" with a password`);
  return found[0];
};

const createLoginLink = (
  { kysely }: Database,
  { organizationId, login }: PasswordRow,
  { hash, resetTwoFactor }: { hash: Buffer; resetTwoFactor: boolean },
): Promise<void> =>
  kysely.transaction().execute(async (tx) => {
    const rows = ownedRows(tx, 'organizationId', organizationId);
    if (resetTwoFactor)
      for (const table of ['agentTwoFactor', 'agentRecoveryCodes'] as const)
        await rows.remove(table).where('agentId', '=', login).execute();
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + SIGN_IN_LINK_LIFETIME_MS);
    await rows
      .insert('agentEmailTokens', { id: hash, agentId: login, kind: 'sign_in', createdAt, expiresAt })
      .execute();
  });

export const agentsLoginLink: Command = {
  help,
  run: async (args, { env, print, reportProgress }) => {
    const { logins, organization, resetTwoFactor } = readOptions(args);
    if (logins.length !== 1) throw new UsageError('Expected exactly one login');
    const config = readConfig(env);
    const secret = randomSecret();
    await withDatabase(config, reportProgress, async (database) => {
      const account = await findAccount(database, logins[0]!, organization);
      const { secretKey } = loadInstallationSecrets(config);
      await createLoginLink(database, account, { hash: createSecrets(secretKey).hash(secret), resetTwoFactor });
    });
    print(`${publicUrlOf(config)}/console/first-run?token=${secret}`);
  },
};
