import { Button } from '@mantine/core';
import classes from './Example.module.css';

const rows = [
  { place: 'Hazards!H14', text: 'Recorded 2, where Major × Medium gives 3' },
  { place: 'Hazards!P9', text: 'Residual risk uses the initial severity' },
  { place: 'Cover!B3', text: 'Cover says 1.6, the file is 1.7' },
];

/** An example result that shows visitors the kind of answer they get before they sign up, and runs the sample. */
export function Example({ onRun, isRun }: { onRun: () => void; isRun: boolean }) {
  return (
    <figure className={classes.sample}>
      <figcaption>For example, from the clinical safety officer</figcaption>
      <dl>
        <div>
          <dd>11</dd>
          <dt>hazards read</dt>
        </div>
        <div>
          <dd>4</dd>
          <dt>findings to fix</dt>
        </div>
        <div>
          <dd>
            9<span> of 30</span>
          </dd>
          <dt>relevant tickets covered</dt>
        </div>
      </dl>
      <ul>
        {rows.map((row) => (
          <li key={row.place}>
            <span className="mono">{row.place}</span>
            {row.text}
          </li>
        ))}
      </ul>
      {isRun ? null : (
        <Button variant="light" mt="md" onClick={onRun}>
          See it read a hazard log
        </Button>
      )}
    </figure>
  );
}
