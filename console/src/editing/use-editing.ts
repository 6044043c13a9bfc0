import type { QueryKey } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { refetch as refetchQueries } from '../api/queries.ts';
import { notifySuccess } from '../design/notices.ts';
import { t } from '../i18n/t.ts';
import { describeFormError, type FieldErrors, readFieldErrors } from './field-errors.ts';

export interface Editing<T> {
  draft: T;
  isChanged: boolean;
  isSaving: boolean;
  /** Why it could not be saved. */
  failure: string | undefined;
  /** Read at the moment of leaving the page, when a render may not have happened since the last save. */
  hasUnsaved(): boolean;
  change(part: Partial<T>): void;
  /** Restores the saved values; also called before leaving a deleted item. */
  reset(): void;
  submit(): Promise<void>;
  errorFor(field: string): string | undefined;
  /** Props of a text input. */
  text<K extends keyof T & string>(
    field: K,
  ): {
    value: string;
    error: string | undefined;
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  };
  /** Props of a select without an empty choice. */
  select<K extends keyof T & string>(
    field: K,
  ): { value: T[K]; error: string | undefined; allowDeselect: false; onChange(value: string | null): void };
  /** Props of a number input; an empty input is not a number. */
  number<K extends keyof T & string>(
    field: K,
  ): { value: T[K]; error: string | undefined; onChange(value: string | number): void };
  /** Props of a switch or checkbox. */
  flag<K extends keyof T & string>(
    field: K,
  ): { checked: boolean; onChange(event: ChangeEvent<HTMLInputElement>): void };
}

interface EditingOptions<T> {
  /** The values on the server; newer ones replace an unchanged draft. */
  saved: T;
  check?: ((draft: T) => FieldErrors) | undefined;
  save(draft: T): Promise<unknown>;
  /** Queries to fetch again after saving. */
  refetch?: QueryKey[];
  /** Shown after saving. */
  notice?: string | ((draft: T) => string);
  /** Called after saving; may navigate away. */
  onSaved?: ((draft: T) => unknown) | undefined;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Moves the focus to the first invalid field after it has been rendered as such. */
const focusFirstError = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
};

/** A form draft that is validated and saved as a whole. */
export const useEditing = <T extends object>({
  saved,
  check,
  save,
  refetch = [],
  notice = t('saved'),
  onSaved,
}: EditingOptions<T>): Editing<T> => {
  const [draft, setDraft] = useState(saved);
  const [savedDraft, setSavedDraft] = useState(saved);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const unsaved = useRef(false);

  if (!isSame(saved, savedDraft)) {
    setSavedDraft(saved);
    if (isSame(draft, savedDraft)) setDraft(saved);
  }
  const isChanged = !isSame(draft, savedDraft);
  unsaved.current = isChanged;

  const change = (part: Partial<T>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setErrors((before) => {
      const left = Object.entries(before).filter(([field]) => !(field.split('.', 1)[0]! in part));
      return Object.fromEntries(left);
    });
  };

  const refuse = (found: FieldErrors, reason: string): void => {
    setErrors(found);
    setFailure(reason);
    focusFirstError();
  };

  const submit = async (): Promise<void> => {
    const found = check?.(draft) ?? {};
    if (Object.keys(found).length > 0) return refuse(found, t('fixTheHighlightedFields'));
    setErrors({});
    setFailure(undefined);
    setSaving(true);
    try {
      await save(draft);
      await refetchQueries(...refetch);
      setSavedDraft(draft);
      unsaved.current = false;
      notifySuccess(typeof notice === 'string' ? notice : notice(draft));
      onSaved?.(draft);
    } catch (error) {
      refuse(readFieldErrors(error), describeFormError(error));
    } finally {
      setSaving(false);
    }
  };

  const set = (field: string, value: unknown): void => change({ [field]: value } as Partial<T>);

  return {
    draft,
    isChanged,
    isSaving,
    failure,
    hasUnsaved: () => unsaved.current,
    change,
    reset: () => {
      unsaved.current = false;
      setDraft(savedDraft);
      setErrors({});
      setFailure(undefined);
    },
    submit,
    errorFor: (field) => errors[field],
    text: (field) => ({
      value: String(draft[field] ?? ''),
      error: errors[field],
      onChange: ({ currentTarget }) => set(field, currentTarget.value),
    }),
    select: (field) => ({
      value: draft[field],
      error: errors[field],
      allowDeselect: false,
      onChange: (value) => value !== null && set(field, value),
    }),
    number: (field) => ({
      value: draft[field],
      error: errors[field],
      onChange: (value) => set(field, typeof value === 'number' ? value : Number.NaN),
    }),
    flag: (field) => ({
      checked: Boolean(draft[field]),
      onChange: ({ currentTarget }) => set(field, currentTarget.checked),
    }),
  };
};
