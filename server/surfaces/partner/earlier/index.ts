import type { Context } from '#server/context.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { earlierAccountRoutes } from './account.ts';
import { earlierAffiliateRoutes } from './affiliates.ts';
import { earlierCampaignRoutes } from './campaigns.ts';
import { expertRoutes } from './experts.ts';
import { earlierProfileRoutes } from './profile.ts';
import { resellerRoutes } from './resellers.ts';

export const earlierRoutes = (ctx: Context): Route<PartnerScope>[] => [
  ...earlierProfileRoutes,
  ...earlierAccountRoutes(ctx),
  ...resellerRoutes(ctx),
  ...expertRoutes(ctx),
  ...earlierCampaignRoutes,
  ...earlierAffiliateRoutes,
];
