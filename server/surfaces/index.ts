import type { Surface } from '#server/http/surface.ts';
import { accountsSurface } from './accounts/index.ts';
import { agentSurface } from './agent/index.ts';
import { chatOpsSurface } from './chat-ops/index.ts';
import { configurationSurface } from './configuration/index.ts';
import { customerSurface } from './customer/index.ts';
import { filesSurface } from './files/index.ts';
import { oauthSurface } from './oauth/index.ts';
import { operatorSurface } from './operator/index.ts';
import { partnerSurface } from './partner/index.ts';
import { signUpSurface } from './site/pages/sign-up/index.ts';
import { trackingSurface } from './tracking/index.ts';

/** All surfaces. The first one that owns a URL answers it; the last one owns the rest. */
export const surfaces: readonly Surface[] = [
  customerSurface,
  agentSurface,
  configurationSurface,
  partnerSurface,
  accountsSurface,
  oauthSurface,
  signUpSurface,
  operatorSurface,
  filesSurface,
  trackingSurface,
  chatOpsSurface,
];

export const surfaceOf = (url: string): Surface => {
  const path = url.split('?', 1)[0]!;
  return surfaces.find((surface) => surface.owns(path)) ?? surfaces.at(-1)!;
};
