import type { DisconnectReason } from '#contracts/chat/frames.ts';
import { LoginPayload } from '#contracts/customer/login.ts';
import type { Context } from '#server/context.ts';
import { DomainError, type DomainErrorCode } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { updateCustomer } from '#server/domain/support/customers/update-customer.ts';
import { connectCustomer } from '#server/domain/support/visits/presence.ts';
import type { Action } from '#server/http/route.ts';
import { compileBody } from '#server/http/validation.ts';
import type { Endpoint } from '#server/realtime/endpoint.ts';
import { readSubscription } from '#server/realtime/session.ts';
import type { CustomerGate } from './auth.ts';
import { presentLogin } from './login-response.ts';
import { type CustomerIdentity, type DisconnectReasonOf, openSocketRegistry } from './socket-registry.ts';

const checkLogin = compileBody(LoginPayload);

const reasons: Partial<Record<DomainErrorCode, DisconnectReason>> = {
  authentication: 'access_token_revoked',
  customer_banned: 'customer_banned',
  license_expired: 'license_expired',
  license_not_found: 'license_not_found',
  wrong_product_version: 'product_version_changed',
};

/** The fields of a login that describe the customer, besides the identity. */
const introduce = async (
  scope: OrganizationScope,
  { customer, customer_page: page, group_id: groupId, referrer }: LoginPayload,
): Promise<void> => {
  const update = {
    name: customer?.name || undefined,
    email: customer?.email || undefined,
    avatar: customer?.avatar || undefined,
    sessionFields: customer?.session_fields ?? undefined,
  };
  if (Object.values(update).some((value) => value !== undefined)) await updateCustomer(scope, update);
  await connectCustomer(scope, {
    page: page ? { url: page.url, title: page.title ?? undefined } : undefined,
    referrer: referrer ?? undefined,
    groupId: groupId ?? undefined,
  });
};

/** Customers in real time: `/v3.5/customer/rtm/ws`. */
export const customerEndpoint = (
  ctx: Context,
  gate: CustomerGate,
  actions: Action<OrganizationScope>[],
): Endpoint<CustomerIdentity, OrganizationScope> => {
  const hasEnded = ({ expiresAt }: CustomerIdentity): DisconnectReason | undefined =>
    expiresAt <= ctx.clock.now() ? 'access_token_expired' : undefined;

  const disconnectReasonOf: DisconnectReasonOf = async ({ identity, ip }) => {
    if (!identity) return undefined;
    try {
      await gate.verifyCredential({ ...identity, ip });
    } catch (error) {
      return hasEnded(identity) ?? (error instanceof DomainError ? reasons[error.code] : undefined);
    }
  };

  return {
    name: 'customer',
    path: '/v3.5/customer/rtm/ws',
    disconnectPush: 'customer_disconnected',
    actions,
    ...openSocketRegistry(ctx, disconnectReasonOf),
    hasEnded,
    identify: async (session, payload) => {
      checkLogin(payload);
      const login = payload as LoginPayload;
      const { organizationId, ip } = session;
      const credential = await gate.identify({ authorization: login.token, organizationId, ip });
      session.subscription = readSubscription(login.pushes);
      const browser = { ...session.browser, referrer: login.referrer ?? session.browser.referrer };
      return { ...credential, authorization: login.token, browser };
    },
    completeLogin: async ({ identity: existing }, payload) => {
      const identity = existing!;
      const login = payload as LoginPayload;
      const scope = gate.enter(identity, undefined, identity.browser);
      await introduce(scope, login);
      const answer = await presentLogin(scope, login.customer_page?.url);
      ctx.realtime.greeter.check(identity);
      return answer;
    },
    enter: async ({ identity, ip }, _, cause) =>
      gate.enter(await gate.identify({ ...identity!, ip }), cause, identity!.browser),
  };
};
