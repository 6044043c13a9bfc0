import type { TestApp } from '#server/testing/app/start-app.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

const OWN_PAGE = { origin: 'http://parley.test' };

/** A browser with the console in it: it keeps its cookie and calls from our own page. */
export interface TestBrowser {
  cookie: string;
  post(path: string, payload?: object): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** An operation of the agent API. */
  call(operation: string, payload?: object): ReturnType<TestBrowser['post']>;
  openSocket(headers?: Record<string, string>): Promise<SocketClient>;
}

export const openBrowser = ({ app }: TestApp, userAgent = 'Mozilla/5.0 Chrome/142.0'): TestBrowser => {
  const browser: TestBrowser = {
    cookie: '',
    post: async (url, payload = {}) => {
      const headers = { ...OWN_PAGE, cookie: browser.cookie, 'user-agent': userAgent };
      const response = await app.inject({ method: 'POST', url, headers, payload });
      const given = response.headers['set-cookie'];
      if (given) browser.cookie = String(given).split(';')[0]!;
      return { status: response.statusCode, body: response.json() };
    },
    call: (operation, payload) => browser.post(`/v3.5/agent/action/${operation}`, payload),
    openSocket: (headers = OWN_PAGE) =>
      connectSocket(`${app.listeningOrigin}/v3.5/agent/rtm/ws`, { headers: { ...headers, cookie: browser.cookie } }),
  };
  return browser;
};

/** Signed in with the password that test agents have. */
export const signInBrowser = async (test: TestApp, { login }: { login: string }, userAgent?: string) => {
  const browser = openBrowser(test, userAgent);
  const { status } = await browser.post('/signin', { login, password: 'a long password' });
  if (status !== 200) throw new Error(`Signing in answered ${status}`);
  return browser;
};
