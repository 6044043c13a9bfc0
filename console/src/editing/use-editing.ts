import { type ChangeEvent, useRef, useState } from 'react';
import { t } from '../i18n/t.ts';
import { explainFailure, type Faults, readFaults } from './faults.ts';

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
  fault(field: string): string | undefined;
  /** Props of a text input. */
  text<K extends keyof T & string>(
    field: K,
  ): {
    value: string;
    error: string | undefined;
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void;
  };
  /** Props of a switch or checkbox. */
  flag<K extends keyof T & string>(
    field: K,
  ): { checked: boolean; onChange(event: ChangeEvent<HTMLInputElement>): void };
}

interface EditingOptions<T> {
  /** The values on the server; newer ones replace an unchanged draft. */
  saved: T;
  check?: ((draft: T) => Faults) | undefined;
  save(draft: T): Promise<unknown>;
  /** Called after saving; may navigate away. */
  onSaved?: ((draft: T) => void) | undefined;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Moves the focus to the first invalid field after it has been rendered as such. */
const showFirstFault = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
};

/** A form draft that is validated and saved as a whole. */
export const useEditing = <T extends object>({ saved, check, save, onSaved }: EditingOptions<T>): Editing<T> => {
  const [draft, setDraft] = useState(saved);
  const [known, setKnown] = useState(saved);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const unsaved = useRef(false);

  if (!isSame(saved, known)) {
    setKnown(saved);
    if (isSame(draft, known)) setDraft(saved);
  }
  const isChanged = !isSame(draft, known);
  unsaved.current = isChanged;

  const change = (part: Partial<T>): void => {
    setDraft((before) => ({ ...before, ...part }));
    setFaults((before) => {
      const left = Object.entries(before).filter(([field]) => !(field.split('.', 1)[0]! in part));
      return Object.fromEntries(left);
    });
  };

  const refuse = (found: Faults, reason: string): void => {
    setFaults(found);
    setFailure(reason);
    showFirstFault();
  };

  const submit = async (): Promise<void> => {
    const found = check?.(draft) ?? {};
    if (Object.keys(found).length > 0) return refuse(found, t('fixTheHighlightedFields'));
    setFaults({});
    setFailure(undefined);
    setSaving(true);
    try {
      await save(draft);
      setKnown(draft);
      unsaved.current = false;
      onSaved?.(draft);
    } catch (error) {
      refuse(readFaults(error), explainFailure(error));
    } finally {
      setSaving(false);
    }
  };

  return {
    draft,
    isChanged,
    isSaving,
    failure,
    hasUnsaved: () => unsaved.current,
    change,
    reset: () => {
      unsaved.current = false;
      setDraft(known);
      setFaults({});
      setFailure(undefined);
    },
    submit,
    fault: (field) => faults[field],
    text: (field) => ({
      value: String(draft[field] ?? ''),
      error: faults[field],
      onChange: ({ currentTarget }) => change({ [field]: currentTarget.value } as unknown as Partial<T>),
    }),
    flag: (field) => ({
      checked: Boolean(draft[field]),
      onChange: ({ currentTarget }) => change({ [field]: currentTarget.checked } as unknown as Partial<T>),
    }),
  };
};
