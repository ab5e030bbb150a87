import '../../styles/wholePage.ts';
import { Modal } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import type { FoundRow } from '../../../models/contracts/desk.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { textOf } from '../../data/call.ts';
import { useSearch } from '../../data/desk.ts';
import { count } from '../../data/words.ts';
import { AGENT_PAGES, SEARCHABLE } from './ofAgents.ts';
import { findPlaces } from './places.ts';
import classes from './SearchDialog.module.css';

/** Pause in typing before the server is asked. */
const PAUSE_MS = 180;

/** Searches pages, and on the server questions and whatever the agents declare. */
export function SearchDialog({
  user,
  takeTyped,
  onClose,
}: {
  user: SessionUser;
  /** What was typed before the field had the focus. */
  takeTyped: () => string;
  onClose: () => void;
}) {
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words, PAUSE_MS);
  const { data, error } = useSearch(asked);
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const list = useId();
  const options = useRef<HTMLDivElement>(null);
  const small = useMediaQuery('(max-width: 640px)');

  const enough = words.trim().length >= LIMITS.search.min;
  const pending = enough && !error && (asked !== words || !data);
  const rows = [...(enough && !pending ? (data?.found ?? []) : []), ...findPlaces(words, user, AGENT_PAGES)];
  const current = Math.min(at, rows.length - 1);
  useEffect(() => {
    options.current?.querySelector(`[data-at="${current}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const open = (row: FoundRow | undefined) => {
    if (!row) return;
    onClose();
    void navigate(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === 'Enter') open(rows[current]);
    else if (to === undefined || (words && /Home|End/.test(event.key))) return;
    else setAt((to + rows.length) % rows.length);
    event.preventDefault();
  };
  const outcome = pending
    ? 'Searching'
    : rows.length === 0
      ? 'Nothing found. Try an id, or fewer words.'
      : `${count(rows.length, 'result')}. Use the arrow keys to choose, Enter to open.`;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Search"
      size="lg"
      fullScreen={small}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <div className={classes.field}>
        <IconSearch size={16} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-label="Search everything"
          aria-expanded={rows.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={rows.length > 0 ? `${list}-${current}` : undefined}
          placeholder={SEARCHABLE}
          autoComplete="off"
          spellCheck={false}
          maxLength={LIMITS.search.max}
          value={words}
          onFocus={() => {
            const typed = takeTyped();
            if (typed) setWords((before) => (before + typed).slice(0, LIMITS.search.max));
          }}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <p className="hidden-label" role="status">
        {outcome}
      </p>
      {error && enough ? (
        <p role="alert" className={classes.note}>
          {textOf(error, 'Your records could not be searched. Check your connection and try again.')} Pages are still
          listed.
        </p>
      ) : null}
      <div id={list} ref={options} role="listbox" aria-label="Results" className={classes.list}>
        {rows.map((row, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus and names the option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
          <div
            key={`${row.kind} ${row.id} ${row.path}`}
            id={`${list}-${index}`}
            role="option"
            data-at={index}
            aria-selected={index === current}
            className={classes.row}
            onClick={() => open(row)}
            onPointerMove={() => setAt(index)}
          >
            <span className={classes.kind}>{row.kind}</span>
            <span className={classes.text}>
              <strong>
                {/^(Page|Finding|Question|Analysis)$/.test(row.kind) ? null : <span className="mono">{row.id} </span>}
                {row.title}
              </strong>
              <span className="soft small">{row.note}</span>
            </span>
          </div>
        ))}
      </div>
      {pending || rows.length === 0 ? (
        <p className={classes.note} aria-hidden>
          {pending ? 'Searching…' : outcome}
        </p>
      ) : null}
    </Modal>
  );
}
