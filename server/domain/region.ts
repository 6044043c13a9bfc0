import { DomainError } from './errors.ts';

const REGION = /^(dal|fra)[:-]/;

/** Tokens contain their region. A server of another region reports the right one instead of failing. */
export const assertRegion = (token: string, region: string): void => {
  const theirs = REGION.exec(token)?.[1];
  if (theirs !== undefined && theirs !== region)
    throw new DomainError('misdirected', `Wrong region: this token belongs to ${theirs}`, { region: theirs });
};
