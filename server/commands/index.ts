import type { Command } from './command.ts';

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

/** `npm run parley -- <command> <subcommand>`. A module is loaded only when its command runs. */
export const commands: Record<string, Record<string, Entry>> = {
  agents: {
    'login-link': {
      summary: 'Print a one-time sign-in link for an agent',
      load: async () => (await import('./agents-login-link.ts')).agentsLoginLink,
    },
  },
  invitations: {
    create: {
      summary: 'Print a sign-up link for a person without an account',
      load: async () => (await import('./invitations-create.ts')).invitationsCreate,
    },
  },
  mail: {
    failed: {
      summary: 'List mails that could not be sent',
      load: async () => (await import('./mail-failed.ts')).mailFailed,
    },
    replay: {
      summary: 'Send failed mails again',
      load: async () => (await import('./mail-failed.ts')).mailReplay,
    },
    pipe: {
      summary: 'Create a ticket from an email on standard input',
      load: async () => (await import('./mail-pipe.ts')).mailPipe,
    },
  },
  ledger: {
    verify: {
      summary: 'Verify the partner ledger, statements and balances',
      load: async () => (await import('./ledger-verify.ts')).ledgerVerify,
    },
  },
  routing: {
    simulate: {
      summary: 'Replay past chats with other limits, agents or schedules',
      load: async () => (await import('./routing-simulate.ts')).routingSimulate,
    },
  },
  projections: {
    rebuild: {
      summary: 'Recompute derived tables from their sources',
      load: async () => (await import('./projections.ts')).projectionsRebuild,
    },
    check: {
      summary: 'Compare derived tables with their sources',
      load: async () => (await import('./projections.ts')).projectionsCheck,
    },
  },
};
