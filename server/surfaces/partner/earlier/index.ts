import type { Context } from '#server/context.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { earlierAccountRoutes } from './account.ts';
import { earlierProfileRoutes } from './profile.ts';

export const earlierRoutes = (ctx: Context): Route<PartnerScope>[] => [
  ...earlierProfileRoutes,
  ...earlierAccountRoutes(ctx),
];
