import type { TestApp } from '#server/testing/app/start-app.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

const OWN_PAGE = { origin: 'http://parley.test' };

/** Simulates a browser with the console: it stores the session cookie and sends the console's origin. */
export interface TestBrowser {
  cookie: string;
  post(path: string, payload?: object): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  /** Calls an operation of the agent API. */
  call(operation: string, payload?: object): ReturnType<TestBrowser['post']>;
  openSocket(headers?: Record<string, string>): Promise<SocketClient>;
}

export const openBrowser = ({ app }: TestApp, userAgent = 'Mozilla/5.0 Chrome/142.0'): TestBrowser => {
  const browser: TestBrowser = {
    cookie: '',
    post: async (url, payload = {}) => {
      const headers = { ...OWN_PAGE, cookie: browser.cookie, 'user-agent': userAgent };
      const response = await app.inject({ method: 'POST', url, headers, payload });
      const setCookie = response.headers['set-cookie'];
      if (setCookie) browser.cookie = String(setCookie).split(';')[0]!;
      return { status: response.statusCode, body: response.json() };
    },
    call: (operation, payload) => browser.post(`/v3.5/agent/action/${operation}`, payload),
    openSocket: (headers = OWN_PAGE) =>
      connectSocket(`${app.listeningOrigin}/v3.5/agent/rtm/ws`, { headers: { ...headers, cookie: browser.cookie } }),
  };
  return browser;
};

/** Signs in with the default password of test agents. */
export const signInBrowser = async (test: TestApp, { login }: { login: string }, userAgent?: string) => {
  const browser = openBrowser(test, userAgent);
  const { status } = await browser.post('/signin', { login, password: 'a long password' });
  if (status !== 200) throw new Error(`Sign-in failed with status ${status}`);
  return browser;
};
