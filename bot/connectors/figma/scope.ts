import { env } from '../../../models/env.ts';
import type { ScopeDeclaration } from '../../engine/connectors/connector.ts';
import { faultOf, readAddress } from './address.ts';

export const scope: ScopeDeclaration = {
  fields: [
    {
      id: 'address',
      label: 'File, project or team',
      hint: 'Its address in Figma: https://www.figma.com/design/… for one file, https://www.figma.com/files/…/project/… or …/team/… for the files in it.',
      kind: 'text',
      required: true,
    },
  ],
  readOptions: () => Promise.resolve({}),
  faultsOf({ address = '' }) {
    const fault = faultOf(address, env.FIGMA_PRIVATE_APP === true);
    return fault === null ? ({} as Record<string, string>) : { address: fault };
  },
  describe({ address = '' }) {
    const place = readAddress(address);
    return place?.kind === 'file' ? `the file ${address}` : `the files of the ${place?.kind ?? 'place'} ${address}`;
  },
};
