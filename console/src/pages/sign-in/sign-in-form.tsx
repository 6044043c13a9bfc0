import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorText, Form } from '../../design/form.tsx';
import { describeSignInError } from './enter-console.ts';

/** The action of a `SignInForm`. `wrong` describes wrong credentials or an expired link. */
export const useSignInAction = (run: (input?: string) => Promise<unknown>, wrong?: string) => {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: run, onError: () => {} });
  const failure = error ? describeSignInError(error, wrong) : undefined;
  return { run: mutate, onSubmit: () => mutate(undefined), isBusy: isPending, isDone: isSuccess, failure };
};

interface SignInFormProps {
  action: ReturnType<typeof useSignInAction>;
  submitLabel: string;
  children?: ReactNode;
  footer?: ReactNode;
}

/** A form with one button and an error message. */
export const SignInForm = ({ action, submitLabel, children, footer }: SignInFormProps) => (
  <Form onSubmit={action.onSubmit}>
    {children}
    <ErrorText mt="sm" role="alert">
      {action.failure}
    </ErrorText>
    <Button mt="lg" fullWidth type="submit" loading={action.isBusy}>
      {submitLabel}
    </Button>
    {footer && (
      <Text mt="md" size="sm" ta="center">
        {footer}
      </Text>
    )}
  </Form>
);
