import { Button } from '@mantine/core';
import { useState } from 'react';
import classes from './ConfirmButton.module.css';

type Props = {
  /** "Remove": the word on both buttons. */
  label: string;
  /** What it is done to, for screen readers: "Ada Okafor". */
  of: string;
  /** The second button's full name: "Remove Ada Okafor from the company". */
  sure: string;
  /** What it does, where that is not plain. */
  note?: string;
  /** Drawn like a link beside other such buttons. */
  subtle?: boolean;
  onConfirm: () => unknown;
};

/** A button for what can't be taken back: it asks once, in its place. */
export function ConfirmButton({ label, of, sure, note, subtle, onConfirm }: Props) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <Button
        {...(subtle ? { size: 'compact-xs', variant: 'subtle', color: 'gray' } : { size: 'xs', variant: 'default' })}
        aria-label={`${label} ${of}`}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
    );
  }
  const confirm = () => {
    setAsking(false);
    void onConfirm();
  };
  return (
    <fieldset className={classes.asking} aria-label={`${label} ${of}?`}>
      {note ? <p className="small">{note}</p> : null}
      <div className={classes.buttons}>
        <Button autoFocus size="xs" variant="default" onClick={() => setAsking(false)}>
          Keep
        </Button>
        <Button size="xs" color="red" aria-label={sure} onClick={confirm}>
          {label}
        </Button>
      </div>
    </fieldset>
  );
}
