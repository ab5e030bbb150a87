import type { ScopeOption } from '../../../models/contracts/connectorScope.ts';
import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { isRefused } from '../../engine/connectors/failure.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { readPages } from '../../engine/connectors/requests.ts';
import { GRAPH, listFrom } from './graph.ts';

type Site = { id: string; displayName?: string; name?: string };
type Drive = { id: string; name: string };

const MAX_PAGES = 10;
const MAX_SITES = 100;
/** Sites whose libraries are asked for at once. */
const AT_ONCE = 4;

/** The chosen library; its name is that of its site and its own. */
export const readLibrary = ({ library }: ScopeValues): ReturnType<typeof readOption> => readOption(library);

async function readLibraries(access: Access, { id, displayName, name = '' }: Site): Promise<ScopeOption[]> {
  const address = `${GRAPH}/sites/${encodeURIComponent(id)}/drives?$select=id,name`;
  const drives = await readPages<Drive>((cursor) => listFrom(access, address, cursor), MAX_PAGES).catch(
    (error: unknown) => {
      // A site whose libraries may not be listed is no fault of the others.
      if (isRefused(error)) return [];
      throw error;
    },
  );
  return drives.map((drive) => optionOf({ id: drive.id, name: `${displayName || name}: ${drive.name}` }));
}

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'library',
      label: 'Site and library',
      hint: 'Files in it and in its folders are read, at most a hundred, and drafts are saved there. A hundred sites are listed.',
      kind: 'choice',
      required: true,
    },
  ],
  async readOptions(access) {
    const address = `${GRAPH}/sites?search=*&$select=id,name,displayName`;
    const sites = await readPages<Site>((cursor) => listFrom(access, address, cursor), MAX_PAGES);
    const waiting = sites.slice(0, MAX_SITES);
    const found: ScopeOption[] = [];
    while (waiting.length > 0) {
      const libraries = await Promise.all(waiting.splice(0, AT_ONCE).map((site) => readLibraries(access, site)));
      found.push(...libraries.flat());
    }
    return { library: inOrder(found) };
  },
  describe: (values) => `library ${readLibrary(values).name}`,
};
