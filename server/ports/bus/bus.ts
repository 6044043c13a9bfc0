/**
 * Carries domain events between the processes of one installation. At most once; whoever needs all of it reads the
 * database after a gap.
 *
 * A message is JSON data: plain objects, arrays, strings, finite numbers, booleans and null; a property that is undefined
 * counts as absent. Anything else (a Date, a Map, an instance of a class) would look different in another process than in
 * the publisher's own, so every implementation refuses it alike: it is logged as an error and delivered to nobody.
 * Listeners of the publisher's process are handed the very object that was published: treat it as immutable.
 */
export interface Bus {
  /**
   * Never throws and never blocks. Listeners of this process run once the present call stack has ended, in the order of
   * publication, and an exception of one reaches neither the others nor the publisher.
   */
  publish(topic: string, message: unknown): void;
  /** Returns the end of the subscription. A listener gets what is published from now on, until it ends. */
  subscribe(topic: string, listener: Listener): () => void;
  /**
   * Messages of other processes may have been missed since that time (by this process's clock): a link was lost, here or
   * at a publisher, and is back. May be called several times for one outage. The memory bus never calls it.
   */
  onGap(listener: (gap: Gap) => void): () => void;
  /** Whether other processes can be reached now; for readiness and metrics. */
  connected(): boolean;
  /** How many published messages were kept from the other processes so far; for metrics. */
  dropped(): number;
  /** Delivers what is under way, then nothing more. */
  close(): Promise<void>;
}

export type Listener = (message: unknown) => void;

export interface Gap {
  since: Date;
}

/** The part of a pino logger that a bus speaks to. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
