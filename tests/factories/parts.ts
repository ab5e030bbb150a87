// The parts of the server in one import: what the environment says must be set before it is read.
export { createApp } from '../../api/app.ts';
export { requireChat } from '../../api/middleware/chatGate.ts';
export { isSameOrigin } from '../../api/middleware/origin.ts';
export { countChat } from '../../api/middleware/rate.ts';
export { makeSession, whoIsStill } from '../../api/middleware/session.ts';
export { openChannels } from '../../api/start.ts';
export { agents } from '../../bot/agents/index.ts';
export { attachArcChannel } from '../../bot/channels/arc/app.ts';
export { closeAgents, registerAgents } from '../../bot/engine/agents/registry.ts';
export { sweepDeliveries } from '../../bot/engine/delivery/sweepDeliveries.ts';
export { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
export { resumeRun } from '../../bot/engine/workflows/resumeRun.ts';
export { connectStore, ensureIndexes } from '../../models/store/connect.ts';
