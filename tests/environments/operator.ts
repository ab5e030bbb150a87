// What an operator may choose, for all test files with `@environment operator` in a process.
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('operator');
export const METRICS_TOKEN = 'a-token-of-the-operator';
export const LEGAL_CONTACT = 'operations@example.org';
Object.assign(process.env, { METRICS_TOKEN, LEGAL_CONTACT, TRIAL_DAYS: '0', MCP_REGION: 'outside-uk-accepted' });
