import { expect } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import type { TestCustomer, TestOrganization } from '#server/testing/builders/factories.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';

export interface ListeningApp extends TestApp {
  connect(organization?: { id: string }): Promise<SocketClient>;
  logIn(organization: TestOrganization, customer: TestCustomer, more?: object): Promise<SocketClient>;
}

/** Starts an app that listens on a port, with helpers to connect customer sockets to it. */
export const startListeningApp = async (...options: Parameters<typeof startTestApp>): Promise<ListeningApp> => {
  const test = await startTestApp(...options);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const connect: ListeningApp['connect'] = (organization) =>
    connectSocket(
      `${test.app.listeningOrigin}/v3.5/customer/rtm/ws${organization ? `?organization_id=${organization.id}` : ''}`,
    );
  return {
    ...test,
    connect,
    logIn: async (organization, customer, more = {}) => {
      const client = await connect(organization);
      const answer = await client.request('login', { token: `Bearer ${customer.token}`, ...more });
      expect(answer).toMatchObject({ action: 'login', success: true });
      return client;
    },
  };
};

export const failure = (type: string) => ({ type: 'response', success: false, payload: { error: { type } } });

export const disconnectPush = (reason: string) => ({
  type: 'push',
  action: 'customer_disconnected',
  payload: { reason },
});
