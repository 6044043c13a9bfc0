import { useMutation } from '@tanstack/react-query';
import { describeError } from '../api/errors.ts';
import { notifyError } from './notices.ts';

/** The action of a button or menu item, which has no other place to show a failure than a notice. */
export const useAction = <T = void, R = unknown>(run: (input: T) => Promise<R>, onSuccess?: (result: R) => unknown) =>
  useMutation({
    mutationFn: run,
    onSuccess: (result) => onSuccess?.(result),
    onError: (error) => notifyError(describeError(error)),
  });
