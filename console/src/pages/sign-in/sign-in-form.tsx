import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface FormProps {
  submitLabel: string;
  isBusy: boolean;
  failure?: string | undefined;
  onSubmit(): void;
  children: ReactNode;
  footer?: ReactNode;
}

/** A form with one button and an error message. */
export const Form = ({ submitLabel, isBusy, failure, onSubmit, children, footer }: FormProps) => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
    {failure && (
      <Text mt="sm" size="sm" c="var(--danger)" role="alert">
        {failure}
      </Text>
    )}
    <Button mt="lg" fullWidth type="submit" loading={isBusy}>
      {submitLabel}
    </Button>
    {footer && (
      <Text mt="md" size="sm" ta="center">
        {footer}
      </Text>
    )}
  </form>
);
