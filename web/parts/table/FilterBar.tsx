import { SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './FilterBar.module.css';

/** Filters above a table: a choice, a search field and further controls. */
export function FilterBar({
  label,
  options,
  value,
  onChange,
  words,
  onWords,
  children,
}: {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  words: string;
  onWords: (words: string) => void;
  children?: ReactNode;
}) {
  return (
    <div className={`${classes.filters} no-print`}>
      <SegmentedControl aria-label={label} size="xs" data={[...options]} value={value} onChange={onChange} />
      <TextInput
        aria-label={`Search ${label.toLowerCase()}`}
        placeholder="Search"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
      />
      {children}
    </div>
  );
}

/** Whether any text contains the searched words. */
export function holds(words: string, ...texts: (string | null)[]): boolean {
  const wanted = words.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text?.toLowerCase().includes(wanted));
}
