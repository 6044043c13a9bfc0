/** A problem at start that an operator can fix. The message is complete, so no stack trace is printed. */
export class StartError extends Error {
  override name = 'StartError';
}
