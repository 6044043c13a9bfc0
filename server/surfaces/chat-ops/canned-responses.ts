import * as contract from '#contracts/chat-ops/canned-responses.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  type CannedResponseRecord,
  createCannedResponse,
  deleteCannedResponse,
  getCannedResponse,
  listCannedResponses,
  updateCannedResponse,
} from '#server/domain/support/canned-responses/manage-canned-responses.ts';
import { type Route, route } from '#server/http/route.ts';
import { toUnixSeconds } from './present.ts';

const agentRoute = route<OrganizationScope>();

const present = (response: CannedResponseRecord): contract.CannedResponse => ({
  id: response.id,
  group: response.groupId,
  text: response.text,
  creation_date: toUnixSeconds(response.createdAt),
  created_by: response.createdBy,
  tags: response.tags,
  ...(response.modified
    ? { modification_date: toUnixSeconds(response.modified.at), modified_by: response.modified.by }
    : {}),
});

export const cannedResponseRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listCannedResponses, async ({ query, scope }) =>
    (await listCannedResponses(scope, { groupId: query.group })).map(present),
  ),
  agentRoute(contract.getCannedResponse, async ({ params, scope }) =>
    present(await getCannedResponse(scope, { id: params.canned_response_id })),
  ),
  agentRoute(contract.createCannedResponse, async ({ body: { text, tags, group }, scope }) =>
    present(await createCannedResponse(scope, { text, tags, groupId: group })),
  ),
  ...[contract.updateCannedResponse, contract.updateCannedResponseByPost].map((operation) =>
    agentRoute(operation, async ({ params, body, scope }) =>
      present(await updateCannedResponse(scope, { ...body, id: params.canned_response_id })),
    ),
  ),
  agentRoute(contract.deleteCannedResponse, async ({ params, scope }) => {
    await deleteCannedResponse(scope, { id: params.canned_response_id });
    return { result: 'Canned response removed successfully' };
  }),
];
