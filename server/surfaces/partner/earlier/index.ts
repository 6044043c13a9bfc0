import type { PartnerScope } from '#server/domain/scope.ts';
import type { Route } from '#server/http/route.ts';
import { earlierProfileRoutes } from './profile.ts';

export const earlierRoutes: Route<PartnerScope>[] = [...earlierProfileRoutes];
