import { DomainError } from './errors.ts';

const REGION = /^(dal|fra)[:-]/;

/** A token names its region; a server of another one says where to go instead of failing. */
export const assertRegion = (token: string, region: string): void => {
  const theirs = REGION.exec(token)?.[1];
  if (theirs !== undefined && theirs !== region)
    throw new DomainError('misdirected', `Wrong region: this token belongs to ${theirs}`, { region: theirs });
};
