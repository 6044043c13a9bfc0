import { inspect } from 'node:util';

/** For what follows a commit: its failure is nothing that the writer could mend by writing again, so it only gets noted. */
export const withoutFailing = (follow: () => void): void => {
  try {
    follow();
  } catch (error) {
    process.emitWarning('What was written could not be announced', { detail: inspect(error) });
  }
};
