import type { Access, ScopeDeclaration, ScopeValues } from '../../engine/connectors/connector.ts';
import { isRefused } from '../../engine/connectors/failure.ts';
import { inOrder, optionOf, readOption } from '../../engine/connectors/places.ts';
import { readPages } from '../../engine/connectors/requests.ts';
import { readSites } from '../atlassianSites.ts';
import { list, siteApi } from './api.ts';

type Space = { id: string; key: string; name: string; type: string };

const MAX_PAGES = 20;

/** A space is chosen with its site: "cloud-id:65110/Safety". */
export function readSpace({ space }: ScopeValues): { siteId: string; id: string; name: string } {
  const { id, name } = readOption(space);
  const at = id.lastIndexOf(':');
  return { siteId: id.slice(0, at), id: id.slice(at + 1), name };
}

const readSpaces = (access: Access, siteId: string): Promise<Space[]> =>
  readPages<Space>(
    (cursor) => list(access, `${siteApi(siteId)}/spaces?status=current&limit=250`, cursor),
    MAX_PAGES,
  ).catch((error: unknown) => {
    // A site where this may not be used is no fault of the others.
    if (isRefused(error)) return [];
    throw error;
  });

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'space',
      label: 'Space',
      hint: 'Its published pages are read, and drafts are saved there. Spaces of single people are not listed.',
      kind: 'choice',
      required: true,
    },
  ],
  async readOptions(access) {
    const sites = await readSites(access.send);
    const spaces = await Promise.all(sites.map(({ id }) => readSpaces(access, id)));
    const options = sites.flatMap((site, at) =>
      (spaces[at] ?? [])
        .filter(({ type }) => type !== 'personal')
        .map(({ id, key, name }) => {
          const label = sites.length > 1 ? `${site.name}: ${name} (${key})` : `${name} (${key})`;
          return optionOf({ id: `${site.id}:${id}`, name }, label);
        }),
    );
    return { space: inOrder(options) };
  },
  describe: (values) => `space ${readSpace(values).name}`,
};
