import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { placesText } from '../../../models/contracts/clinical_safety/placeText.ts';
import { runSample } from '../../../models/contracts/clinical_safety/sampleResult.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { call, textOf } from '../../data/call.ts';
import { setVisitorTried } from '../../data/visitorTeam.ts';
import { count } from '../../data/words.ts';
import landing from '../../parts/agents/Outcome.module.css';
import { Callout } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { inCell, type MatrixCell, RiskMatrix } from './result/RiskMatrix.tsx';
import classes from './SampleRun.module.css';

type Result = AnswerOf<typeof runSample>;

/** Reads the sample for a visitor: the figures of its card, the first findings and the matrix. */
export function SampleRun() {
  const [result, setResult] = useState<Result | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const run = async () => {
    setFault(null);
    try {
      setResult(await call(runSample));
      setVisitorTried();
    } catch (error) {
      setFault(textOf(error, 'Please check your connection and try again.'));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when it is shown
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
    void run();
  }, []);

  return (
    <section className={landing.outcome} aria-labelledby="sample-run" aria-busy={!result && !fault}>
      <h2 id="sample-run" ref={heading} tabIndex={-1}>
        {result ? 'What Clara found in the sample' : 'Clara is reading the sample'}
      </h2>
      {fault ? (
        <Callout
          tone="error"
          title="The sample could not be read"
          action={
            <Button variant="default" onClick={() => void run()}>
              Try again
            </Button>
          }
        >
          {fault}
        </Callout>
      ) : result ? (
        <Shown result={result} />
      ) : (
        <div className={`card ${classes.card}`}>
          <Skeleton lines={6} />
        </div>
      )}
    </section>
  );
}

function Shown({ result }: { result: Result }) {
  const [cell, setCell] = useState<MatrixCell | null>(null);
  const here = cell ? result.hazards.filter((hazard) => inCell(hazard, cell)) : [];
  return (
    <div className={`card ${classes.card}`}>
      <p className="soft small">
        {result.logFileName}, with {result.ticketsFileName}. A made-up product; nothing was stored.
      </p>
      <dl className={classes.figures}>
        {result.figures.map(({ label, value }) => (
          <div key={label}>
            <dd>{value}</dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      <h3>
        First {result.findings.length} of {count(result.findingCount, 'finding')}
      </h3>
      <ul className={classes.findings}>
        {result.findings.map(({ id, title, places }) => (
          <li key={id}>
            <span className="mono">{placesText(places, 2)}</span>
            <span>{title}</span>
          </li>
        ))}
      </ul>
      <RiskMatrix hazards={result.hazards} matrix={result.matrix} selected={cell} onSelect={setCell} />
      <p className="soft small" role="status">
        {cell
          ? here.map(({ id, name }) => `${id}: ${name}`).join('; ')
          : `Matrix: ${result.matrix.name}. Select a cell to name its hazards.`}
      </p>
      <div className={`${classes.next} no-print`}>
        <p>Sign up to see all of it in your own chat, or to have your own log read. 14 days free, no card needed.</p>
        <Button component={Link} to="/auth?tab=signup">
          Sign up for free
        </Button>
      </div>
    </div>
  );
}
