import { linkToChat } from '../delivery/consent.ts';
import { FileError } from '../files/fileError.ts';
import type { StepContext, StepResult } from './workflow.ts';

/**
 * How a workflow ends, free of charge, work that it can't do.
 *
 * @param short the reason where the chat may have no more than a reference, e.g. "No brief was written."
 * @param nothing said after what is wrong with a file, e.g. "Nothing was written."
 */
export function makeRefusal(short: string, nothing: string) {
  /** Says the reason in the chat, and ends the run. */
  async function refuse({ say }: Pick<StepContext, 'say'>, text: string) {
    const brief = `${short} ${linkToChat()}`;
    await say({ key: 'refused', kind: 'refused', text, derived: { redacted: brief, reference: brief } });
    return { done: { output: text }, cost: 0 };
  }

  /** Works on files; one that can't be used ends the run with its reason. */
  async function refuseBadFile<State>(
    context: Pick<StepContext, 'say'>,
    work: () => Promise<StepResult<State>>,
  ): Promise<StepResult<State>> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return refuse(context, `${error.message} ${nothing}`);
    }
  }

  return { refuse, refuseBadFile };
}
