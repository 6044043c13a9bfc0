import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Bus } from './ports/bus/bus.ts';
import type { FileStore } from './ports/files/files.ts';
import type { QueueSizes } from './storage/platform-mails.ts';

export interface Metrics {
  registry: Registry;
  requests: Histogram<'surface' | 'operation' | 'status'>;
  sockets: Gauge<'surface'>;
  pushes: Counter<'surface'>;
  taskItems: Counter<'task' | 'outcome'>;
  lostClicks: Counter;
  setQueueSizes(sizes: QueueSizes, now: Date): void;
}

/** Metrics for operators. Labels never contain tenant ids. */
export const createMetrics = (bus: Bus, files: Pick<FileStore, 'freeBytes'>): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'parley_bus_connected',
    help: 'Whether the message bus is connected.',
    registers,
    collect() {
      this.set(bus.connected() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'parley_bus_dropped',
    help: 'Messages to other processes dropped since start.',
    registers,
    collect() {
      this.set(bus.dropped());
    },
  });
  new Gauge({
    name: 'parley_disk_free_bytes',
    help: 'Free space of the data directory.',
    registers,
    async collect() {
      this.set(await files.freeBytes());
    },
  });
  const queued = new Gauge({
    name: 'parley_queue_items',
    help: 'Mails and webhook deliveries that wait to be sent, and mails that failed.',
    labelNames: ['queue'],
    registers,
  });
  const queueAge = new Gauge({
    name: 'parley_queue_oldest_seconds',
    help: 'Age of the oldest mail and webhook delivery that waits to be sent.',
    labelNames: ['queue'],
    registers,
  });
  return {
    registry,
    setQueueSizes: ({ mails, failedMails, oldestMail, webhooks, oldestWebhook }, now) => {
      const ageOf = (oldest: Date | null): number => (oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0);
      queued.set({ queue: 'mails' }, mails);
      queued.set({ queue: 'failed_mails' }, failedMails);
      queued.set({ queue: 'webhooks' }, webhooks);
      queueAge.set({ queue: 'mails' }, ageOf(oldestMail));
      queueAge.set({ queue: 'webhooks' }, ageOf(oldestWebhook));
    },
    requests: new Histogram({
      name: 'parley_request_seconds',
      help: 'Response time by operation.',
      labelNames: ['surface', 'operation', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 15],
      registers,
    }),
    sockets: new Gauge({ name: 'parley_sockets', help: 'Open sockets.', labelNames: ['surface'], registers }),
    pushes: new Counter({
      name: 'parley_pushes_total',
      help: 'Frames pushed to sockets.',
      labelNames: ['surface'],
      registers,
    }),
    lostClicks: new Counter({
      name: 'parley_clicks_lost_total',
      help: 'Clicks on partner links that could not be stored.',
      registers,
    }),
    taskItems: new Counter({
      name: 'parley_periodic_task_items_total',
      help: 'Items that periodic tasks handled: done, skipped because no longer due, or failed.',
      labelNames: ['task', 'outcome'],
      registers,
    }),
  };
};
