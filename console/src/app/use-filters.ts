import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

/** Filters are stored in the URL, so links and reloads keep them. */
export type Filters<N extends string> = { [K in N]?: string | undefined };

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

export const readFilters = <N extends string>(search: object, names: readonly N[]): Filters<N> => {
  const filters: Filters<N> = {};
  for (const name of names) {
    const value = (search as Record<string, unknown>)[name];
    if (isText(value) && value !== '') filters[name] = String(value);
  }
  return filters;
};

/** The router quotes strings that look like numbers; numbers are written without quotes. */
const writeValue = (value: string | undefined): string | number | undefined =>
  value !== undefined && String(Number(value)) === value ? Number(value) : value || undefined;

type Change<N extends string> = (patch: Filters<N>) => void;

/** Returns a function from the name of a filter to the props of its control. */
export const filterControls =
  <N extends string>(filters: Filters<N>, change: Change<N>) =>
  (name: N) => ({
    value: filters[name],
    onChange: (value: string | undefined): void => change({ [name]: value } as Filters<N>),
  });

/** The filters in the URL, and functions to change and clear them. */
export const useFilters = <N extends string>(names: readonly N[]): [Filters<N>, Change<N>, clear: () => void] => {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = useMemo(() => readFilters(search, names), [search, names]);
  const change = useCallback<Change<N>>(
    (patch) => {
      const written = Object.fromEntries(
        Object.entries<string | undefined>(patch).map(([name, value]) => [name, writeValue(value)]),
      );
      void navigate({ to: '.', search: ((old: object) => ({ ...old, ...written })) as never, replace: true });
    },
    [navigate],
  );
  const clear = useCallback(
    () => change(Object.fromEntries(names.map((name) => [name, undefined])) as Filters<N>),
    [change, names],
  );
  return [filters, change, clear];
};
