import { type DomainEvent, topicOf, writeEvent } from '#server/domain/events.ts';
import type { Reactions } from '#server/domain/scope.ts';
import type { JobQueue } from '#server/jobs/queue.ts';
import type { Bus } from '#server/ports/bus/bus.ts';
import type { Executor } from '#server/storage/database.ts';
import { welcomeOwner, welcomePartner } from './mails.ts';

export interface ReactionTools {
  jobs: JobQueue;
  bus: Bus;
  publicUrl(): string;
}

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

interface Reaction<T extends DomainEvent['type']> {
  /** In the same transaction: what must not be lost. */
  durable?: ((event: Of<T>, tx: Executor, tools: ReactionTools) => Promise<void>)[];
  /** After the commit: tell whoever listens, in every process. */
  announce?: boolean;
}

/** What follows from each event. */
export const reactions: { [T in DomainEvent['type']]: Reaction<T> } = {
  event_sent: { announce: true },
  chat_started: { announce: true },
  chat_deactivated: { announce: true },
  agent_status_set: { announce: true },
  credentials_changed: { announce: true },
  organization_created: {
    durable: [(event, tx, { jobs, publicUrl }) => jobs.enqueue(tx, 'send-mail', welcomeOwner(event, publicUrl()))],
  },
  partner_created: {
    durable: [(event, tx, { jobs, publicUrl }) => jobs.enqueue(tx, 'send-mail', welcomePartner(event, publicUrl()))],
  },
};

export const createReactions = (tools: ReactionTools): Reactions => {
  const reactionTo = <T extends DomainEvent['type']>(event: Of<T>): Reaction<T> => reactions[event.type as T];
  return {
    isDurable: (type) => reactions[type].durable !== undefined,
    beforeCommit: async (event, tx) => {
      for (const react of reactionTo(event).durable ?? []) await react(event, tx, tools);
    },
    afterCommit: (event) => {
      const { announce, durable } = reactionTo(event);
      const topic = topicOf(event);
      if (announce && topic) tools.bus.publish(topic, writeEvent(event));
      if (durable) tools.jobs.nudge();
    },
  };
};
