import { type NewWebhook, registerWebhook } from '#server/domain/support/webhooks/register.ts';
import type { TestOrganization } from './factories.ts';

export interface TestWebhook {
  id: string;
  ownerClientId: string;
}

export const SECRET_KEY = 'a secret of the receiver';

export const buildWebhook = async (
  { scope }: TestOrganization,
  input: Partial<NewWebhook> & { url: string },
): Promise<TestWebhook> => {
  const ownerClientId = input.ownerClientId ?? 'a-client';
  const { id } = await registerWebhook(scope, {
    action: 'incoming_chat',
    secretKey: SECRET_KEY,
    type: 'license',
    additionalData: [],
    ...input,
    ownerClientId,
  });
  return { id, ownerClientId };
};
