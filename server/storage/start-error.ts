/** What keeps the program from starting and an operator can mend: the message says all, a stack trace would only scare. */
export class StartError extends Error {
  override name = 'StartError';
}
