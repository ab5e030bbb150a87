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
  const isEdit = editsByChoice(view);
  const standing = choice ?? (asked.choiceIsOptional && !isEdit ? asked.option : null);
  return (
    <fieldset className={classes.candidates} disabled={!able} data-edit={isEdit ? asked.id : undefined}>
      <legend>{askOption(view)}</legend>
      {asked.options.map((option) => (
        <label key={option.id}>
          <input
            type="radio"
            name={`candidate-${asked.id}`}
            data-mantine-stop-propagation={isEdit || undefined}
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
