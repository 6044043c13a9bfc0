import { DomainError } from './errors.ts';

const REGION = /^(dal|fra)[:-]/;

/** Tokens contain their region. A server of another region reports the right one instead of failing. */
export const assertRegion = (token: string, region: string): void => {
  const tokenRegion = REGION.exec(token)?.[1];
  if (tokenRegion !== undefined && tokenRegion !== region)
    throw new DomainError('misdirected', `Wrong region: this token belongs to ${tokenRegion}`, { region: tokenRegion });
};
