import * as contract from '#contracts/chat-ops/tags.ts';
import { invalid } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { createTag, deleteTag, listTags, type TagRecord } from '#server/domain/support/tags/manage-tags.ts';
import { type Route, route } from '#server/http/route.ts';
import { toUnixSeconds } from './present.ts';

const agentRoute = route<OrganizationScope>();

const present = ({ name, author, createdAt, inChats, inTickets, groupId }: TagRecord): contract.Tag => ({
  name,
  author,
  creation_date: toUnixSeconds(createdAt),
  count: { inChats, inTickets },
  group: groupId,
});

export const tagRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listTags, async ({ query, scope }) =>
    (await listTags(scope, { groupId: query.group })).map(present),
  ),
  agentRoute(contract.createTag, async ({ body: { author, tag, group }, scope }) =>
    present(await createTag(scope, { author, name: tag, groupId: group })),
  ),
  agentRoute(contract.deleteTag, async ({ params, query, body, scope }) => {
    const groupId = query.group ?? body.group;
    if (groupId === undefined) throw invalid('group', 'is required');
    await deleteTag(scope, { groupId, name: params.tag });
    return { ok: true as const };
  }),
];
