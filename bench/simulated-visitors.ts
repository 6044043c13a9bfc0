import { randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';

export type BeaconKind = 'page' | 'look' | 'greeting' | 'beat' | 'leave';

export interface SimulatedVisitors {
  /** Every visitor opens a page, spread evenly over the time, and then sends beacons until it leaves. */
  arrive(withinMs: number): void;
  /** Stops all beacons. The selected visitors send a last beacon that they leave. */
  leave(sendsLeave: (index: number) => boolean): Promise<void>;
  /** Returns and resets the latencies in milliseconds. */
  takeLatencies(): Record<BeaconKind, number[]>;
  /** The number of failures by error. */
  failures(): string;
  /** New visitors arrive one after another on every connection. Returns how many arrive per second. */
  flood(connections: number, ms: number): Promise<number>;
}

const BEACON_INTERVAL_MS = 20_000;
/** The share of beacons that open another page, of pages that ask for a greeting, and of those that get one. */
const PAGE_SHARE = 1 / 3;
const LOOK_SHARE = 1 / 2;
const GREETED_SHARE = 0.02;
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

interface BeaconResponse {
  ms: number;
  status: number;
  greeted: boolean;
}

const post = (agent: http.Agent, url: URL, text: string): Promise<BeaconResponse> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const headers = {
      'content-type': 'text/plain',
      'content-length': Buffer.byteLength(text),
      'user-agent': USER_AGENT,
    };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ ms: performance.now() - from, status: response.statusCode!, greeted: body.includes('"greeting"') }),
      );
    });
    request.on('error', reject);
    request.end(text);
  });

const createLatencies = (): Record<BeaconKind, number[]> => ({ page: [], look: [], greeting: [], beat: [], leave: [] });
const createIdentity = () => ({ visitor_id: randomUUID(), secret: randomBytes(24).toString('hex') });

/** Simulates visitors with the tracking script: they open a page, send a heartbeat every 20 seconds and sometimes open another page. */
export const simulateVisitors = (endpoint: URL, license: number, size: number): SimulatedVisitors => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 });
  const identities = Array.from({ length: size }, createIdentity);
  const timers: NodeJS.Timeout[] = [];
  const failed: Record<string, number> = {};
  let latencies = createLatencies();

  const sendBeacon = async (identity: object, event: 'view' | 'beat' | 'leave'): Promise<void> => {
    const look = event === 'view' && Math.random() < LOOK_SHARE;
    const path = look && Math.random() < GREETED_SHARE ? 'cart-of-few' : 'shoes';
    const page = { url: `https://shop.example/${path}/${randomUUID()}`, title: 'A page of the shop' };
    const viewFields = event === 'view' ? { language: 'en', timezone: 'Europe/Warsaw', look } : {};
    try {
      const result = await post(agent, endpoint, JSON.stringify({ license, ...identity, event, page, ...viewFields }));
      if (result.status !== 200) throw new Error(`status ${result.status}`);
      const kind = event !== 'view' ? event : result.greeted ? 'greeting' : look ? 'look' : 'page';
      latencies[kind].push(result.ms);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      failed[code ?? message] = (failed[code ?? message] ?? 0) + 1;
    }
  };

  const startVisit = (identity: object): void => {
    void sendBeacon(identity, 'view');
    timers.push(
      setInterval(() => void sendBeacon(identity, Math.random() < PAGE_SHARE ? 'view' : 'beat'), BEACON_INTERVAL_MS),
    );
  };

  return {
    arrive: (withinMs) => {
      for (const [index, identity] of identities.entries())
        timers.push(setTimeout(startVisit, (index * withinMs) / size, identity));
    },
    leave: async (sendsLeave) => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(
        identities.filter((_, index) => sendsLeave(index)).map((identity) => sendBeacon(identity, 'leave')),
      );
    },
    takeLatencies: () => {
      const taken = latencies;
      latencies = createLatencies();
      return taken;
    },
    failures: () =>
      Object.entries(failed)
        .map(([error, count]) => `${count} × ${error}`)
        .join(', ') || 'none',
    flood: async (connections, ms) => {
      const end = performance.now() + ms;
      let arrived = 0;
      const arriveRepeatedly = async (): Promise<void> => {
        for (; performance.now() < end; arrived++) await sendBeacon(createIdentity(), 'view');
      };
      await Promise.all(Array.from({ length: connections }, arriveRepeatedly));
      agent.destroy();
      return arrived / (ms / 1000);
    },
  };
};
