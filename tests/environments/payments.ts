// Starts the payment provider that all test files with `@environment payments` in a process share.
import { startStripe } from '../fakes/stripe/index.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('payments');
export const stripe = await startStripe();
Object.assign(process.env, stripe.environment);
afterEveryFile(() => stripe.recover());
atEnd(() => stripe.stop());
