import { randomBytes, randomUUID } from 'node:crypto';
import http from 'node:http';

/** What an answer was waited for, and how long. */
export type Word = 'page' | 'look' | 'greeting' | 'beat' | 'leave';

export interface Crowd {
  /** Each opens its first page, spread evenly over the time; then they speak until they leave. */
  arrive(withinMs: number): void;
  /** Stops talking; the polite ones say good-bye. */
  leave(polite: (at: number) => boolean): Promise<void>;
  /** The milliseconds of each kind since they were last taken. */
  take(): Record<Word, number[]>;
  /** What went wrong, by how it was told. */
  failures(): string;
  /** As many visitors who have never been here as one after the other can come on so many connections. */
  flood(connections: number, ms: number): Promise<number>;
}

const BEAT_MS = 20_000;
/** Of a visitor's words, how many are about another page; of the pages, how many can show a greeting, and how many get one. */
const PAGE_SHARE = 1 / 3;
const LOOK_SHARE = 1 / 2;
const GREETED_SHARE = 0.02;
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

interface Answer {
  ms: number;
  status: number;
  greeted: boolean;
}

const post = (agent: http.Agent, url: URL, text: string): Promise<Answer> =>
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

const newTimes = (): Record<Word, number[]> => ({ page: [], look: [], greeting: [], beat: [], leave: [] });
const newIdentity = () => ({ visitor_id: randomUUID(), secret: randomBytes(24).toString('hex') });

/** Visitors as the tracking script makes them: a page, then a beat every 20 seconds and now and then another page. */
export const gatherCrowd = (endpoint: URL, license: number, size: number): Crowd => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 });
  const identities = Array.from({ length: size }, newIdentity);
  const timers: NodeJS.Timeout[] = [];
  const failed: Record<string, number> = {};
  let times = newTimes();

  const speak = async (identity: object, event: 'view' | 'beat' | 'leave'): Promise<void> => {
    const look = event === 'view' && Math.random() < LOOK_SHARE;
    const path = look && Math.random() < GREETED_SHARE ? 'cart-of-few' : 'shoes';
    const page = { url: `https://shop.example/${path}/${randomUUID()}`, title: 'A page of the shop' };
    const about = event === 'view' ? { language: 'en', timezone: 'Europe/Warsaw', look } : {};
    try {
      const answer = await post(agent, endpoint, JSON.stringify({ license, ...identity, event, page, ...about }));
      if (answer.status !== 200) throw new Error(`status ${answer.status}`);
      const word = event !== 'view' ? event : answer.greeted ? 'greeting' : look ? 'look' : 'page';
      times[word].push(answer.ms);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      failed[code ?? message] = (failed[code ?? message] ?? 0) + 1;
    }
  };

  const begin = (identity: object): void => {
    void speak(identity, 'view');
    timers.push(setInterval(() => void speak(identity, Math.random() < PAGE_SHARE ? 'view' : 'beat'), BEAT_MS));
  };

  return {
    arrive: (withinMs) => {
      for (const [at, identity] of identities.entries())
        timers.push(setTimeout(begin, (at * withinMs) / size, identity));
    },
    leave: async (polite) => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(identities.filter((_, at) => polite(at)).map((identity) => speak(identity, 'leave')));
    },
    take: () => {
      const taken = times;
      times = newTimes();
      return taken;
    },
    failures: () =>
      Object.entries(failed)
        .map(([why, count]) => `${count} × ${why}`)
        .join(', ') || 'none',
    flood: async (connections, ms) => {
      const end = performance.now() + ms;
      let arrived = 0;
      const comeAndGo = async (): Promise<void> => {
        for (; performance.now() < end; arrived++) await speak(newIdentity(), 'view');
      };
      await Promise.all(Array.from({ length: connections }, comeAndGo));
      agent.destroy();
      return arrived / (ms / 1000);
    },
  };
};
