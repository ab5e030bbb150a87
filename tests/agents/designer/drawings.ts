import { drawBlock } from '../../../bot/agents/designer/frames/blocksSvg.ts';
import { WIDTHS } from '../../../bot/agents/designer/frames/drawFrames.ts';
import { Pen } from '../../../bot/agents/designer/frames/pen.ts';
import { renderBlock } from '../../../bot/agents/designer/prototype/blocksHtml.ts';
import { composeScreen } from '../../../bot/agents/designer/prototype/compose.ts';
import { cssOf } from '../../../bot/agents/designer/prototype/css.ts';
import { describeScreen, proposeComponents, proposeLayout } from '../../../bot/agents/designer/screen/propose.ts';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';
import { STATES } from '../../../bot/agents/designer/screen/screen.ts';
import { makeOwnStyle, STYLES, type Style, styleOption } from '../../../bot/agents/designer/style/styles.ts';
import { BLOCKS } from './blocks.ts';

const [style] = STYLES as [Style, ...Style[]];

/** Words for a screen of each kind, and some with several readings. */
export const OBJECTIVES = {
  form: 'Design a screen for nurses to record blood pressure and pulse',
  list: 'Design a worklist of patients showing waiting time and urgency',
  detail: 'Design the details of a patient: allergies, weight. Buttons: discharge',
  dashboard: 'Design a dashboard of patients showing waiting time and urgency',
  chat: 'Design a screen for patients to chat with a pharmacist',
  'sign-in': 'Design a sign-in page',
  settings: 'Design a settings page',
  review: 'Design a screen for a GP to review test results',
  'list of others': 'Design a list of orders with supplier and status',
  'dashboard of others': 'Design a dashboard of incidents showing severity, date and beds',
  'chat of staff': 'Design a screen for nurses to chat with patients',
  'one thing': 'Design a screen for nurses to record pulse',
  'a medicine given': 'Design a form for a nurse to administer medicines with dose and time',
  'medicines listed': 'Design a list of medicines with dose and frequency',
  'of diaries': 'Design a list of diaries with owner and date',
  'buttons alone': 'Design the details of an order with supplier. Buttons to approve and print',
  'reviewed parts': 'Design a screen for managers to approve or reject incidents',
  'figures alone': 'Design a dashboard of beds',
  'times of day': 'Design a list of doses with time given, given, weight and first name',
  'many fields listed':
    'Design a list of patients with ward, bed, weight, height, pulse, temperature, allergies and notes',
  'words too long for a field':
    'Design a form with date, something that nobody would ever call a field of a form and pulse',
  'of nothing named': 'Design a screen',
  'form in words': 'Design a form for a claim with full name, e-mail, reason, date and a file. Buttons: send, delete',
};

const drawn = (width: number) =>
  Object.entries(BLOCKS).map(([name, block]): [string, string] => {
    const pen = new Pen(width, style, style.light);
    pen.y = 10;
    drawBlock(pen, block);
    return [`${name}, ${width} px`, [...pen.parts, `ends at ${pen.y}`].join('\n')];
  });

const lineOf = (value: object) => JSON.stringify(value);

/** The designer's drawings of known parts and words, as readable lines: by file, each item with its name. */
export const DRAWINGS: Record<string, () => [name: string, made: string][]> = {
  'frames.txt': () => WIDTHS.flatMap(drawn),
  'pages.txt': () =>
    Object.entries(BLOCKS).map(([name, block]) => [name, renderBlock(block, 'p').replaceAll('><', '>\n<')]),
  'styles.txt': () =>
    [...STYLES, makeOwnStyle('#0b5d5b'), makeOwnStyle('#ffe600'), makeOwnStyle('#abc')].flatMap((one, at) =>
      one
        ? [
            [
              `${at} ${one.name}`,
              [lineOf(styleOption(one)), lineOf(one), ...(at === 0 ? [cssOf(one).trim()] : [])].join('\n'),
            ] as [string, string],
          ]
        : [],
    ),
  'screens.txt': () =>
    Object.entries(OBJECTIVES).flatMap(([name, objective]) => {
      const screen = readObjective(objective);
      const { fields, actions, ...rest } = screen;
      const read = [lineOf(rest), ...fields.map(lineOf), ...actions.map(lineOf)].join('\n');
      const { layout, sections } = proposeLayout(screen);
      const proposed = [
        describeScreen(screen),
        layout,
        ...sections.map(({ name: part, purpose }) => `${part}: ${purpose}`),
        ...proposeComponents(screen).map(({ name: part, type }) => `${part}: ${type}`),
      ].join('\n');
      const states = STATES.map((state): [string, string] => [
        `${name}, ${state}`,
        composeScreen(screen, state).map(lineOf).join('\n'),
      ]);
      return [[`${name}: ${objective}`, read], [`${name}, proposed`, proposed], ...states] as [string, string][];
    }),
};
