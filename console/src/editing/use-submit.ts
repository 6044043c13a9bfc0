import { useMutation } from '@tanstack/react-query';
import { describeFormError } from './field-errors.ts';

/** The action of a small form, which shows the failure itself. */
export const useSubmit = <T = void>(run: (input: T) => Promise<unknown>) => {
  const { mutate, isPending, error } = useMutation({ mutationFn: run, onError: () => {} });
  return { submit: mutate, isBusy: isPending, failure: error ? describeFormError(error) : undefined };
};
