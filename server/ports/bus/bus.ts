/**
 * Carries domain events between the processes of one installation, at most once. A subscriber that needs every event
 * reads the database after a gap. A message is JSON data: plain objects, arrays, strings, finite numbers, booleans and
 * null; undefined properties count as absent. Anything else (a Date, a Map, a class instance) would differ between
 * processes, so every implementation logs it as an error and does not deliver it. Listeners in the publisher's process
 * get the published object itself and must not change it.
 */
export interface Bus {
  /**
   * Never throws and never blocks. Local listeners run after the current call stack, in the order of publication. An
   * exception in one listener affects neither the others nor the publisher.
   */
  publish(topic: string, message: unknown): void;
  /** Returns a function that ends the subscription. */
  subscribe(topic: string, listener: Listener): () => void;
  /**
   * Called when messages of other processes may have been missed since a time (by this process's clock), because a
   * connection was lost and is back. May be called several times for one outage; never called by the memory bus.
   */
  onGap(listener: (gap: Gap) => void): () => void;
  /** Whether the bus is connected to other processes; for readiness and metrics. */
  connected(): boolean;
  /** Number of messages not delivered to other processes; for metrics. */
  dropped(): number;
  /** Delivers pending messages, then stops. */
  close(): Promise<void>;
}

export type Listener = (message: unknown) => void;

export interface Gap {
  since: Date;
}

/** The methods of a pino logger that a bus uses. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
