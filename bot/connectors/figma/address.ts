/** Where an address of Figma leads. */
type FigmaPlace = { kind: 'file' | 'project' | 'team'; id: string };

const PATHS = [
  ['file', /^\/(?:file|design|proto|board)\/(\w+)(?:\/|$)/],
  ['project', /^\/files\/(?:.*\/)?project\/(\d+)(?:\/|$)/],
  ['team', /^\/files\/(?:.*\/)?team\/(\d+)(?:\/|$)/],
] as const;

/** Reads an address that a person has copied in Figma; null where it leads to no file, project or team. */
export function readAddress(address: string): FigmaPlace | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, pathname } = new URL(address);
  if (protocol !== 'https:' || !(hostname === 'figma.com' || hostname.endsWith('.figma.com'))) return null;
  for (const [kind, path] of PATHS) {
    const [, id] = path.exec(pathname) ?? [];
    if (id) return { kind, id };
  }
  return null;
}

/** What is wrong with an address that people choose; null where nothing is. */
export function faultOf(address: string, mayList: boolean): string | null {
  const place = readAddress(address);
  if (!place) return 'This is not the address of a file, a project or a team in Figma.';
  return place.kind === 'file' || mayList
    ? null
    : 'Only an app that is private in Figma may list the files of a project or a team: give the address of a file, or have an administrator set FIGMA_PRIVATE_APP.';
}
