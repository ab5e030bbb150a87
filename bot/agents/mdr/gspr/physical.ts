import type { Row } from './requirement.ts';

/** Annex I, chapter II: numbers 10 to 13, on substances, microbes, medicines and tissue. */
export const SUBSTANCES: readonly Row[] = [
  [
    '10.1',
    'Materials and processes are chosen so that the device is safe: chemically, physically and biologically.',
    'no-material',
  ],
  ...(
    [
      ['10.1(a)', 'Choice of materials: toxicity and flammability.'],
      ['10.1(b)', 'Compatibility of materials with tissue, cells and body fluids.'],
      ['10.1(c)', 'Compatibility of the parts of an implant with one another.'],
      ['10.1(d)', 'Effect of processes on the properties of materials.'],
      ['10.1(e)', 'Results of biophysical research or modelling.'],
      ['10.1(f)', 'Mechanical properties: strength, wear, fatigue.'],
      ['10.1(g)', 'Properties of surfaces.'],
      ['10.1(h)', 'Confirmation that chemical and physical specifications are kept.'],
      ['10.2', 'Contaminants and residues.'],
      ['10.3', 'Safe use with the materials and substances that it meets.'],
      [
        '10.4.1',
        'Substances that cause cancer, change genes, harm reproduction or disrupt hormones, in parts that touch the body.',
      ],
      ['10.4.2', 'Justification of such substances.'],
      ['10.4.3', 'Guidelines on phthalates.'],
      ['10.4.4', 'Guidelines on other such substances.'],
      ['10.4.5', 'Labelling of such substances.'],
      ['10.5', 'Substances that get into the device unintentionally.'],
      ['10.6', 'Size and properties of particles, nanomaterials among them.'],
    ] as const
  ).map(([number, asks]): Row => [number, asks, 'no-material']),
  ...(
    [
      ['11.1', 'Risk of infection, with safe handling and without leakage of microbes (a to d).'],
      ['11.2', 'Cleaning, disinfection and sterilising again.'],
      ['11.3', 'A specific microbial state.'],
      ['11.4', 'Delivery in a sterile state.'],
      ['11.5', 'Sterilisation by validated methods.'],
      ['11.6', 'Controlled conditions for devices that are to be sterilised.'],
      ['11.7', 'Packaging of non-sterile devices.'],
      ['11.8', 'Labels that tell sterile and non-sterile ones apart.'],
    ] as const
  ).map(([number, asks]): Row => [number, asks, 'no-sterile']),
  ['12.1', 'A substance that would be a medicine on its own.', 'no-medicine'],
  ['12.2', 'Substances that the body absorbs.', 'no-medicine'],
  ['13.1', 'Tissue or cells of human origin (a to c).', 'no-tissue'],
  ['13.2', 'Tissue or cells of animal origin (a to c).', 'no-tissue'],
  ['13.3', 'Other biological substances.', 'no-tissue'],
];

/** Numbers 16 and 18 to 21, on radiation, power, implants, mechanics and supply. */
export const RADIATION: readonly Row[] = (
  [
    ['16.1(a)', 'Exposure to radiation is as low as possible.'],
    ['16.1(b)', 'Instructions describe the radiation and the protection from it.'],
    ['16.2(a)', 'Intended radiation: the benefit outweighs the risk, and it can be controlled.'],
    ['16.2(b)', 'Intended radiation is shown or announced.'],
    ['16.3', 'Unintended radiation.'],
    ['16.4(a)', 'Ionising radiation: the requirements of Directive 2013/59/Euratom.'],
    ['16.4(b)', 'Ionising radiation: quantity, geometry and quality can be varied and controlled.'],
    ['16.4(c)', 'Ionising radiation for diagnosis: image quality at the lowest exposure.'],
    ['16.4(d)', 'Ionising radiation for therapy: dose, beam and energy are monitored.'],
  ] as const
).map(([number, asks]): Row => [number, asks, 'no-radiation']);

export const IMPLANTS_AND_MECHANICS: readonly Row[] = [
  ...(
    [
      ['19.1(a)', 'Active implants: energy sources, insulation, leakage currents, heat.'],
      ['19.1(b)', 'Active implants: medical treatment such as defibrillation.'],
      ['19.1(c)', 'Active implants: where maintenance and calibration are impossible.'],
      ['19.2', 'Active implants: compatible substances and a reliable source of energy.'],
      ['19.3', 'Active implants and their parts can be identified.'],
      ['19.4', 'Active implants carry a code that can be read without surgery.'],
    ] as const
  ).map(([number, asks]): Row => [number, asks, 'no-implant']),
  ...(
    [
      ['20.1', 'Mechanical risks: movement, instability, moving parts.'],
      ['20.2', 'Vibration.'],
      ['20.3', 'Noise.'],
      ['20.4', 'Connectors to energy supplies.'],
      ['20.5', 'Errors when parts are fitted.'],
      ['20.6', 'Temperature of parts that can be touched.'],
    ] as const
  ).map(([number, asks]): Row => [number, asks, 'no-body']),
  ['21.1', 'The delivered amount of energy or substance can be set and kept.', 'no-supply'],
  ['21.2', 'A wrong amount is prevented or shown.', 'no-supply'],
  ['21.3', 'Controls and indicators of the supply are clearly marked.', 'no-supply'],
];
