// Starts the fake Teams that all test files with `@environment teams` in a process share.
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { startTeams } from '../fakes/teams/server.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { requireEnvironment } from '../runner/environment.mjs';

requireEnvironment('teams');
export const teams = await startTeams();
/** The tenant of the deployment's own registration. */
export const own = teams.addTenant();
Object.assign(process.env, teamsEnvironment(teams, own));
afterEveryFile(() => teams.recover());
atEnd(() => teams.stop());
