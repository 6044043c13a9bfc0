import * as contract from '#contracts/operator/invitations.ts';
import {
  createInvitation,
  deleteInvitation,
  type InvitationRecord,
  listInvitations,
} from '#server/domain/accounts/invitations/invitations.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

const DEFAULT_LIMIT = 25;

const present = ({ id, kind, email, createdAt, expiresAt, usedAt }: InvitationRecord): contract.Invitation => ({
  invitation_id: id,
  kind,
  ...(email === null ? {} : { email }),
  created_at: toTimestamp(createdAt),
  expires_at: toTimestamp(expiresAt),
  ...(usedAt === null ? {} : { used_at: toTimestamp(usedAt) }),
});

const operatorRoute = route<PlatformScope>();

export const invitationRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.createInvitation, async ({ body, scope }) => {
    const { code, ...invitation } = await createInvitation(scope, body);
    const page = body.kind === 'partner' ? 'join' : 'signup';
    const url = `${scope.services.installation.publicUrl()}/${page}?invitation=${code}`;
    return { ...present(invitation), code, url };
  }),
  operatorRoute(contract.listInvitations, async ({ query, scope }) => {
    const { invitations, next } = await listInvitations(scope, { limit: DEFAULT_LIMIT, ...query });
    return { invitations: invitations.map(present), ...(next === undefined ? {} : { next }) };
  }),
  operatorRoute(contract.deleteInvitation, async ({ params, scope }) => {
    await deleteInvitation(scope, Number(params.invitation_id));
  }),
];
