import { putToWork } from '../../data/agents.ts';
import { putSample } from '../../data/chat.ts';
import { startAnalysis } from './analysis.ts';

/** Hires and onboards the agent where that is still to do, adds the sample to the chat and starts its analysis. */
export async function startSample(): Promise<void> {
  const { id } = await putToWork('clinical_safety');
  await putSample();
  await startAnalysis(id);
}
