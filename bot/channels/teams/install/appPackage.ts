import { readTeamsIcon } from '../../../../manifests/readTeamsIcon.ts';
import { TEAMS_ICONS, type TeamsApp, teamsManifest } from '../../../../manifests/teams.ts';
import { makeEntry, writeZip } from '../../../engine/files/zipArchive.ts';

export const TEAMS_PACKAGE = 'teams-app-package.zip';

/** The app package for Teams: a zip with the manifest and both icons at its root. */
export const teamsPackage = (app: TeamsApp): Buffer =>
  Buffer.from(
    writeZip([
      makeEntry('manifest.json', JSON.stringify(teamsManifest(app), null, 2)),
      makeEntry(TEAMS_ICONS.color, readTeamsIcon('color')),
      makeEntry(TEAMS_ICONS.outline, readTeamsIcon('outline')),
    ]),
  );
