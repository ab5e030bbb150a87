import { useEffect, useRef } from 'react';
import {
  askOption,
  editsByChoice,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
} from '../../../models/contracts/questionRows.ts';
import { codeOf } from '../../../models/contracts/rowOptions.ts';
import classes from './Review.module.css';

/** The options of a row, of which one is chosen. */
export function RowOptions({
  view,
  asked,
  row,
  choice,
  able,
  onChoose,
}: {
  view: QuestionRows;
  asked: QuestionRow;
  row: RowDecision | undefined;
  choice: string | null;
  able: boolean;
  onChoose: (choice: string) => void;
}) {
  const first = useRef<HTMLInputElement>(null);
  // Opened by a key, the list takes the focus, so that the arrow keys choose.
  const isOpened = editsByChoice(view);
  useEffect(() => {
    if (isOpened) first.current?.focus();
  }, [isOpened]);
  const standing = choice ?? (asked.choiceIsOptional && !editsByChoice(view) ? asked.option : null);
  return (
    <fieldset className={classes.candidates} disabled={!able}>
      <legend>{askOption(view)}</legend>
      {asked.options.map((option, at) => (
        <label key={option.id}>
          <input
            type="radio"
            name={`candidate-${asked.id}`}
            ref={at === 0 ? first : undefined}
            checked={standing === option.id && !row?.bestMatch}
            onChange={() => onChoose(option.id)}
          />
          <span>
            {codeOf(option) ? <span className="mono">{codeOf(option)} </span> : null}
            {option.title}
            {option.note ? <span className="soft figures"> {option.note}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
