import type { Command } from './command.ts';

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

/** `npm run parley -- <area> <command>`. Each is loaded only when it is asked for. */
export const commands: Record<string, Record<string, Entry>> = {
  agents: {
    'let-in': {
      summary: 'prints a link that signs an agent in, once',
      load: async () => (await import('./agents-let-in.ts')).agentsLetIn,
    },
  },
  mail: {
    pipe: {
      summary: 'takes one mail from the standard input and makes a ticket of it',
      load: async () => (await import('./mail-pipe.ts')).mailPipe,
    },
  },
  ledger: {
    verify: {
      summary: 'recomputes the partners’ books, their statements and balances',
      load: async () => (await import('./ledger-verify.ts')).ledgerVerify,
    },
  },
  routing: {
    simulate: {
      summary: 'replays stored arrivals with other limits, agents or schedules',
      load: async () => (await import('./routing-simulate.ts')).routingSimulate,
    },
  },
  projections: {
    rebuild: {
      summary: 'recomputes derived tables from their sources',
      load: async () => (await import('./projections.ts')).projectionsRebuild,
    },
    check: {
      summary: 'compares derived tables with their sources',
      load: async () => (await import('./projections.ts')).projectionsCheck,
    },
  },
  reports: {
    rebuild: {
      summary: 'counts all that reports show again, from what was kept',
      load: async () => (await import('./reports-rebuild.ts')).reportsRebuild,
    },
  },
};
