import { createCustomerToken } from '#contracts/accounts/customer-tokens.ts';
import { createClient } from '#contracts/client.ts';
import { startChat } from '#contracts/customer/chats.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import type { ServerProcess } from './server-process.ts';

export interface BenchOrganization {
  id: string;
  login: string;
  apiKey: string;
}

export interface BenchChat {
  organizationId: string;
  customerId: string;
  token: string;
  chatId: string;
}

export const makeOrganization = async ({ url, operatorToken }: ServerProcess): Promise<BenchOrganization> => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${operatorToken}` } });
  const { organization_id, owner } = await operator(createOrganization, {
    body: { name: 'Bench', owner: { login: 'owner@bench.test', name: 'Owner', password: 'a long password' } },
  });
  return { id: organization_id, login: owner.login, apiKey: owner.api_key };
};

/** Creates continuous chats, which start without an available agent. */
export const makeChats = async (
  { url }: ServerProcess,
  organization: BenchOrganization,
  count: number,
): Promise<BenchChat[]> => {
  const accounts = createClient({ baseUrl: url });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const token = await accounts(createCustomerToken, {
        body: { grant_type: 'cookie', client_id: 'bench', response_type: 'token', organization_id: organization.id },
      });
      const customer = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token.access_token}` } });
      const chat = await customer(startChat, {
        query: { organization_id: organization.id },
        body: { continuous: true },
      });
      return {
        organizationId: organization.id,
        customerId: token.entity_id,
        token: token.access_token,
        chatId: chat.chat_id,
      };
    }),
  );
};
