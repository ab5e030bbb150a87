// The parts of the server in one import, because the environment must be set before they are loaded.
export { createApp } from '../../api/app.ts';
export { makeSession } from '../../api/middleware/session.ts';
export { makeGate, openChannels } from '../../api/start.ts';
export { agents } from '../../bot/agents/index.ts';
export { closeAgents, registerAgents } from '../../bot/engine/agents/registry.ts';
export { sweepDeliveries } from '../../bot/engine/delivery/sweepDeliveries.ts';
export { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
export { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
export { connectStore, ensureIndexes } from '../../models/store/connect.ts';
