// What a process is started with whose test files say `@environment teams`: a Teams of their own, shared by them.
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { startTeams } from '../fakes/teams/server.ts';
import { afterEveryFile, atEnd } from '../runner/atEnd.mjs';
import { mustBe } from '../runner/environment.mjs';

mustBe('teams');
export const teams = await startTeams();
/** The tenant of the deployment's own registration. */
export const own = teams.addTenant();
Object.assign(process.env, teamsEnvironment(teams, own));
afterEveryFile(() => teams.recover());
atEnd(() => teams.stop());
