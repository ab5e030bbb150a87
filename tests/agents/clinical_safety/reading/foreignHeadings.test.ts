import { expect, test } from '@jest/globals';
import { matchHeader } from '../../../../bot/agents/clinical_safety/reading/matchHeader.ts';

const HEADINGS: [heading: string, meaning: string | null, phase?: string][] = [
  ['Fréquence initiale', 'likelihood', 'initial'],
  ['Criticité résiduelle', 'residual_risk'],
  ['Mesures de maîtrise en place', 'control_text'],
  ['Mesures complémentaires prévues', 'action'],
  ['Parades à mettre en place', 'action'],
  ['Evénement redouté', 'name'],
  ['Causes identifiées', 'cause'],
  ['Ernst bruto', 'severity', 'initial'],
  ['Kans netto', 'likelihood', 'residual'],
  ['Genomen maatregel', 'control_text'],
  ['Geplande maatregelen', 'action'],
  ['Oorzaak 2', 'cause'],
  ['Vermeidungs-Maßnahmen', 'control_text'],
  ['Entdeckungsmaßnahmen', 'control_text'],
  ['Empfohlene Maßnahme', 'action'],
  ['Status der Maßnahme', null],
  ['Riskreducerande åtgärder', 'control_text'],
  ['Allvarlighetsgrad före åtgärd', 'severity', 'initial'],
  ['Sannolikhet efter åtgärd', 'likelihood', 'residual'],
  ['Årsak(er)', 'cause'],
  ['Tiltak som er på plass', 'control_text'],
  ['Tiltak planlagt', 'action'],
  ['Misure in atto', 'control_text'],
  ['Misure da attuare', 'action'],
  ['Referente', 'owner'],
  ['Gevaar nr.', 'id'],
  ['Res. class', 'risk', 'residual'],
];

test.each(HEADINGS.map(([heading, meaning, phase = null]) => ({ heading, meaning, phase })))(
  '$heading',
  ({ heading, meaning, phase }) => {
    const match = matchHeader(heading, null);
    // A heading that only begins like a known one is no column of controls.
    expect(match && match.score >= 0.65 ? match.meaning : null).toBe(meaning);
    if (phase) expect(match?.phase).toBe(phase);
  },
);

test('a consequence rated from 1 to 5 is a severity, also where another language calls an effect so', () => {
  expect(matchHeader('Consequence (1-5)', null)?.meaning).toBe('severity');
});
