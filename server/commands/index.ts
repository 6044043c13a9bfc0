import type { Command } from './command.ts';

interface Entry {
  summary: string;
  load(): Promise<Command>;
}

/** `npm run parley -- <area> <command>`. Each is loaded only when it is asked for. */
export const commands: Record<string, Record<string, Entry>> = {
  routing: {
    simulate: {
      summary: 'replays stored arrivals with other limits, agents or schedules',
      load: async () => (await import('./routing-simulate.ts')).routingSimulate,
    },
  },
};
