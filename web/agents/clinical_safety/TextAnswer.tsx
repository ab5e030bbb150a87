import { useState } from 'react';
import { plainTextOf } from '../../data/call.ts';
import { showFailure } from '../../data/toasts.ts';
import { MessageText } from '../../parts/MessageText.tsx';
import { Callout } from '../../parts/Notice.tsx';
import classes from './TextAnswer.module.css';

type Answer = { text: string; isFault: boolean };

/**
 * Runs work that answers with a text. The last answer stays until the next one, a fault until the next try.
 * @param failed title of the notice about a failure
 * @param fallback what happened and what to do, where the server does not say
 * @returns the name of the work that is running, how to run one, and what to show of its answer
 */
export function useTextAnswer<Work extends string>(failed: string, fallback: string) {
  const [busy, setBusy] = useState<Work | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const run = async (name: Work, work: () => Promise<string>) => {
    setBusy(name);
    setAnswer((last) => (last?.isFault ? null : last));
    try {
      setAnswer({ text: await work(), isFault: false });
    } catch (error) {
      const text = plainTextOf(error, fallback);
      setAnswer({ text, isFault: true });
      showFailure(failed, text);
    }
    setBusy(null);
  };
  const shown = !answer ? null : answer.isFault ? (
    <Callout tone="error" title={failed}>
      {answer.text}
    </Callout>
  ) : (
    <div className={classes.found} role="status">
      <MessageText text={answer.text} />
    </div>
  );
  return { busy, run, shown };
}
