import { inspect } from 'node:util';

/** Runs work that follows a commit. Retrying the write cannot repair a failure here, so it is only logged. */
export const warnOnError = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    process.emitWarning('event publishing failed after commit', { detail: inspect(error) });
  }
};
