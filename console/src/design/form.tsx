import { Text, type TextProps } from '@mantine/core';
import type { ComponentProps, FormEvent, ReactNode } from 'react';

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(event: FormEvent<HTMLFormElement>): unknown;
}

/** A form that is sent by script instead of by the browser. */
export const Form = ({ onSubmit, ...form }: FormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(event);
    }}
  />
);

interface ErrorTextProps extends TextProps {
  /** `alert` for the failure of an action; errors of single fields are not announced. */
  role?: 'alert';
  children: ReactNode;
}

/** An error message, or nothing. */
export const ErrorText = ({ children, ...text }: ErrorTextProps) =>
  children && (
    <Text size="sm" c="var(--danger)" {...text}>
      {children}
    </Text>
  );
