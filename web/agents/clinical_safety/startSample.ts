import { findAgent } from '../../../models/contracts/catalogue.ts';
import { findTool } from '../../../models/contracts/tools.ts';
import { hire, onboard } from '../../data/agents.ts';
import { putSample } from '../../data/chat.ts';
import { startAnalysis } from './analysis.ts';

/** Hires and onboards the agent where that is still to do, adds the sample to the chat and starts its analysis. */
export async function startSample(): Promise<void> {
  const hired = await hire('clinical_safety');
  if (hired.status !== 'onboarded') {
    const tools = findAgent('clinical_safety')?.defaultTools ?? [];
    await onboard(
      'clinical_safety',
      tools.filter((id) => findTool(id)?.kind === 'engine'),
    );
  }
  await putSample();
  await startAnalysis(hired.id);
}
