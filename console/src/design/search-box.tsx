import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

const PAUSE_MS = 300;

interface SearchBoxProps {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Searches after a pause in typing, or on Enter. */
export const SearchBox = ({ label, value = '', onChange }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Clearing filters and browser history change the value from outside.
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const search = (text: string): void => {
    clearTimeout(pause.current);
    if (text.trim() !== value) onChange(text.trim() || undefined);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        clearTimeout(pause.current);
        pause.current = setTimeout(search, PAUSE_MS, currentTarget.value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && search(typed)}
    />
  );
};
