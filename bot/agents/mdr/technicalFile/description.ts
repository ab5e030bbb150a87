import { type DeviceFacts, type Fact, factOf, labelOf, shownValue } from '../facts/facts.ts';
import { describeReasoning } from '../rules/describe.ts';
import type { FileContent } from './content.ts';
import { evidencePieces } from './evidencePieces.ts';
import { list, type Piece, type Section, text, toWrite } from './section.ts';

/** A fact as it was told, or what to write where it was not. */
const fact = (facts: DeviceFacts, id: Fact, missing: string): Piece => {
  const value = shownValue(facts, id);
  return value === null ? toWrite(missing) : { kind: 'fact', label: labelOf(id), text: value };
};

/** Annex II, 1 and 2: the description of the device, and the information supplied with it. */
export function composeDescription({ facts, classification, evidence }: FileContent): Section[] {
  const reasoning = describeReasoning(facts, classification);
  const [qualification, ...classes] = reasoning.slice(0, -2);
  const part = (number: string, title: string, pieces: Piece[]): Section => ({ number, title, level: 2, pieces });
  return [
    { number: 'II 1', title: 'Device description and specification', level: 1, pieces: [] },
    part('II 1.1(a)', 'Name, general description, intended purpose and users', [
      fact(facts, 'name', 'The product or trade name.'),
      fact(facts, 'version', 'The version of the software that this file is about.'),
      fact(facts, 'purpose', 'The intended purpose.'),
      fact(facts, 'users', 'The intended users, with their training.'),
      fact(facts, 'lay', 'Whether lay people use it.'),
      fact(facts, 'manufacturer', 'The manufacturer’s name and address.'),
      toWrite('The general description in the manufacturer’s words.'),
    ]),
    part('II 1.1(b)', 'Basic UDI-DI', [
      toWrite('The Basic UDI-DI, once it is assigned.'),
      ...evidencePieces(evidence, ['identification']),
    ]),
    part('II 1.1(c)', 'Patients, conditions, indications, contra-indications, warnings', [
      fact(facts, 'patients', 'The patients and the conditions to be diagnosed, treated or monitored.'),
      fact(facts, 'condition', 'How serious the condition is.'),
      toWrite('Indications, contra-indications and warnings.'),
    ]),
    part('II 1.1(d)', 'Principles of operation', [
      fact(facts, 'functions', 'What the software does with which data.'),
      fact(facts, 'processing', 'How it processes data.'),
      toWrite('The principles of operation and, where needed, their scientific basis.'),
    ]),
    part('II 1.1(e)', 'Why the product is a device', [
      list(qualification?.lines ?? []),
      toWrite('The manufacturer’s own conclusion on this.'),
    ]),
    part('II 1.1(f)', 'Risk class and the rules that were applied', [
      ...classes.flatMap(({ heading, lines }) => [text(heading), list(lines)]),
      toWrite('The class as the manufacturer decides it, with date and name.'),
    ]),
    part('II 1.1(g)', 'Novel features', [toWrite('Novel features, or that there are none.')]),
    part('II 1.1(h)', 'Accessories and products used with it', [
      fact(facts, 'combined', 'Whether it works together with other devices or products.'),
      ...(factOf(facts, 'combined') === 'no'
        ? []
        : [toWrite('Each accessory, device and product that it is used with.')]),
    ]),
    part('II 1.1(i)', 'Configurations and variants', [
      toWrite('The configurations and variants that are placed on the market.'),
    ]),
    part('II 1.1(j)', 'Key functional elements', [
      toWrite('The parts of the software and what each does, with a drawing.'),
      ...evidencePieces(evidence, ['architecture']),
    ]),
    part('II 1.1(k)', 'Raw materials', [
      text('Not applicable: software on its own has no material that touches a body.'),
    ]),
    part('II 1.1(l)', 'Technical specification', [
      fact(facts, 'mobile', 'Whether it runs on phones or tablets.'),
      fact(facts, 'measuring', 'Whether it measures something.'),
      toWrite('Features and performance as they are told to users.'),
      ...evidencePieces(evidence, ['requirements', 'platform']),
    ]),
    part('II 1.2(a)', 'Earlier generations', [toWrite('Earlier generations of the device, or that there are none.')]),
    part('II 1.2(b)', 'Similar devices', [toWrite('Similar devices on the market.')]),
    { number: 'II 2', title: 'Information supplied by the manufacturer', level: 1, pieces: [] },
    part('II 2(a)', 'Label', [...evidencePieces(evidence, ['label'])]),
    part('II 2(b)', 'Instructions for use, in the languages of the countries of sale', [
      ...evidencePieces(evidence, ['instructions']),
      toWrite('The languages, by country of sale.'),
    ]),
  ];
}
