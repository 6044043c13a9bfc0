import type { Surface } from '#server/http/surface.ts';
import { accountsSurface } from './accounts/index.ts';
import { customerSurface } from './customer/index.ts';
import { operatorSurface } from './operator/index.ts';
import { partnerSurface } from './partner/index.ts';

/** Every audience. Earlier ones are asked first whose address it is. */
export const surfaces: readonly Surface[] = [customerSurface, partnerSurface, accountsSurface, operatorSurface];

export const surfaceOf = (url: string): Surface => {
  const path = url.split('?', 1)[0]!;
  return surfaces.find((surface) => surface.owns(path)) ?? surfaces.at(-1)!;
};
