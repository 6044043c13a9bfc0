import type { FastifyRequest } from 'fastify';
import * as contract from '#contracts/chat-ops/visitor-chat.ts';
import type { Context } from '#server/context.ts';
import { findLicense } from '#server/domain/accounts/licenses/find-license.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { plainTextOf } from '#server/domain/support/chats/append/plain-text.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { closedBy, isClosing } from '#server/domain/support/chats/lifecycle/closing-messages.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { readMessages, type VisitorItem } from '#server/domain/support/visitor-chat/read-messages.ts';
import { getSession, type VisitorSession } from '#server/domain/support/visitor-chat/sessions.ts';
import { startVisitorChat } from '#server/domain/support/visitor-chat/start-visitor-chat.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { identifyOptionalAgent } from './auth.ts';
import { toUnixSeconds } from './present.ts';

const visitorRoute = route<OrganizationScope>();

const presentAgent = ({ name, avatar, jobTitle }: { name: string; avatar: string; jobTitle: string }) => ({
  avatar,
  job_title: jobTitle,
  name,
});

/** The client can only show text. */
const textOf = ({ content }: Extract<VisitorItem, { kind: 'event' }>): string | undefined =>
  content.type === 'file' ? `${content.name}: ${content.url}` : plainTextOf(content);

const presentItem = (item: VisitorItem): contract.PendingItem[] => {
  const base = { message_id: item.messageId, timestamp: toUnixSeconds(item.at) };
  if (item.kind === 'agent_details')
    return [{ ...base, type: 'agent_details', user_type: 'agent', agent: presentAgent(item.agent) }];
  const { content } = item;
  if (content.type === 'system_message') {
    const user_type = closedBy(content.systemMessageType) === 'customer' ? 'visitor' : 'agent';
    return isClosing(content.systemMessageType)
      ? [{ ...base, type: 'event', event_type: 'closed', user_type, text: content.text }]
      : [];
  }
  const text = textOf(item);
  if (text === undefined || item.author === 'system') return [];
  const agent = item.author === 'agent' ? { agent: presentAgent(item.agent) } : {};
  return [{ ...base, type: 'message', user_type: item.author, text, ...agent }];
};

interface Claim {
  licence_id: number;
  secured_session_id: string;
}

/** Chats without a widget. The session secret authenticates the visitor, because visitor ids can be guessed. */
export const visitorChatRoutes = (ctx: Context): Route<OrganizationScope>[] => {
  const limitStarts = createClassLimiter(contract.startVisitorChat.rateLimit, ctx.config.rateLimits);
  const limitSession = createClassLimiter(contract.sendVisitorMessage.rateLimit, ctx.config.rateLimits).caller;

  const enter = async (visitorId: string, claim: Claim): Promise<VisitorSession> => {
    const { secured_session_id: secret } = claim;
    limitSession(secret);
    const organizationId = await findLicense(ctx.services, claim.licence_id);
    return getSession(ctx.services, { organizationId, visitorId, secret });
  };

  const start = async (request: FastifyRequest, licenseNumber: number) => {
    limitStarts.address(request.ip, `${licenseNumber}`);
    const organizationId = await findLicense(ctx.services, licenseNumber);
    limitStarts.organization(organizationId);
    const agent = await identifyOptionalAgent(ctx, request, 'visitors_write');
    if (agent && agent.organizationId !== organizationId)
      throw new DomainError('forbidden', 'This agent belongs to another organization');
    return { organizationId, agent: agent?.actor };
  };

  return [
    visitorRoute(contract.startVisitorChat, async ({ params, body, request }) => {
      const started = await startVisitorChat(ctx.services, {
        ...(await start(request, body.licence_id)),
        visitorId: params.visitor_id,
        session: body.secured_session_id,
        welcomeMessage: body.welcome_message,
        name: body.name,
        email: body.email || undefined,
        groupId: body.group,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
      });
      return 'secret' in started
        ? { secured_session_id: started.secret, banned: false }
        : { secured_session_id: '', banned: true };
    }),
    visitorRoute(contract.getPendingMessages, async ({ params, query }) => {
      const session = await enter(params.visitor_id, query);
      return { events: (await readMessages(session, query.last_message_id)).flatMap(presentItem) };
    }),
    visitorRoute(contract.sendVisitorMessage, async ({ params, body }) => {
      const { scope, chatId } = await enter(params.visitor_id, body);
      const content = { type: 'message', text: body.message } as const;
      const event = { content, visibility: 'all', properties: {} } as const;
      await sendEvent(scope, { chatId, event, attachToLastThread: false });
      return { success: true };
    }),
    visitorRoute(contract.closeVisitorChat, async ({ params, body }) => {
      const { scope, chatId } = await enter(params.visitor_id, body);
      try {
        await deactivateChat(scope, { chatId });
        return { success: true };
      } catch (error) {
        if (error instanceof DomainError && error.code === 'chat_inactive') return { success: false };
        throw error;
      }
    }),
  ];
};
