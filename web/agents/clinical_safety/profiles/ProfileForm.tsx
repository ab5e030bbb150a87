import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import type { ProfilePoint } from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from './Profiles.module.css';

/** The form that settles the points of a profile anew. */
export function ProfileForm({
  points,
  busy,
  onSave,
  onCancel,
}: {
  points: readonly ProfilePoint[];
  busy: boolean;
  /** Gets the choice by point; null where it is not known. */
  onSave: (chosen: Record<string, string | null>) => void;
  onCancel: () => void;
}) {
  const [chosen, setChosen] = useState<Record<string, string | null>>(() =>
    Object.fromEntries(points.map(({ id, choice }) => [id, choice])),
  );
  const group = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(chosen);
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      {points.map(({ id, label, options }, at) => (
        <fieldset key={id}>
          <legend>{label}</legend>
          {[...options, { id: null, label: 'I don’t know: read with care' }].map((option) => (
            <label key={option.id}>
              <input
                type="radio"
                name={`${group}${at}`}
                checked={chosen[id] === option.id}
                onChange={() => setChosen({ ...chosen, [id]: option.id })}
              />
              {option.label}
            </label>
          ))}
        </fieldset>
      ))}
      <div className={classes.actions}>
        <WorkButton type="submit" busy={busy}>
          Save
        </WorkButton>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
