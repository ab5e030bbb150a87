import type { OwnTexts } from '../../../engine/intents/answerGeneral.ts';

export const HELP = [
  'I check your hazard log against its own matrix and DCB0129, show which relevant tickets no hazard covers, and propose hazards. I never set a severity, a likelihood or a status, and I approve nothing.',
  '• Drop a hazard log here (.xlsx, .xls or CSV), and a ticket export.',
  '• Say “analyse my hazard log”, review what I propose, then say “merge”.',
  '• Say “write the safety case report” or “check the safety case report”.',
  '• Say “assess this product:” and describe it.',
  '• Ask about a hazard or a finding, or for all that fit: “open hazards with a risk above 2”.',
].join('\n');

/** The agent's own texts for what a person may want of every agent. */
export const OWN_TEXTS: OwnTexts = {
  help: HELP,
  goal: `I can help with one part of that: the hazard log.\n${HELP}`,
  identity:
    'The figures, findings and matches come from rules and from counting words. Your Clinical Safety Officer decides.',
  undo: 'I can’t undo that from here. A merge never changes your own file: it writes a new one.\n• Carry on with the earlier log; it is still in the chat and on your side.\n• Drop that file in again to make it the current one.\n• Run the analysis again to start a new review.',
  cancel:
    'Nothing was stopped by this message. While I work for you, “stop” stops it, or press Cancel on its card. A waiting question can be withdrawn in the inbox.',
  files:
    'Drop the file into the chat, or use the paper clip: the newest hazard log and the newest ticket export are the ones I use. A hazard log may be .xlsx, .xlsm, .xls, .docx, CSV or Markdown; a ticket export CSV or Excel (a key, a summary and, better, a description). The card of an analysis says which file and which version of it was read.',
  export:
    'Choose “Download New Hazards” for a workbook of the proposals with their evidence. After the merge the updated log is offered for download in its own format. Findings, tickets with their verdicts and hazards can be downloaded from the tables of the result, as CSV or Excel.',
  access:
    'The members of your company in Arc can see its hazard logs and results; nobody of another company can.\n• Members and roles: Preferences, Members.\n• What Arc may send to Slack or Teams: Preferences, Company.\n• For more than that, ask your account’s owner.',
  next: [
    'Drop in the hazard log and, if you have one, a ticket export.',
    'Say “analyse my hazard log”, then look at “findings to fix”.',
    'Decide on the proposals in the review, then say “merge”.',
  ],
};

/** For a message that asks for work in words that start none: starting costs credits, so it is never guessed. */
export const WHICH_WORK = [
  'You want me to start something, I think, but not in words that I start it by, so I started nothing. Say one of these:',
  '• “analyse my hazard log”, or “try it with a sample”;',
  '• “merge”, after the review;',
  '• “write the safety case report”, “check the safety case report” or “run the compliance sheet”;',
  '• “assess this product:” with its description;',
  '• “read the tickets again”.',
].join('\n');

/** For a message that asks for a clause which is not found. */
export const WHICH_CLAUSE =
  'Which clause do you mean? I hold DCB0129 clause by clause, and articles and annexes of the MDR; DCB0160 as a whole.\n• By number: “DCB0129 4.4.1”, “MDR Article 10”, “MDR Annex I 17.2”.\n• By subject: “which clause of DCB0129 is about the hazard log”.';

/** For a message that asks about one thing which is not found, or with words that were not understood. */
export const WHICH_ITEM =
  'You ask about one item, I think, but I did not understand which one, or what about it. So I didn’t look anything up.\n• Ask for a hazard, a proposal or a ticket by its id alone.\n• Or by the words of its name: “the hazard about …”.\n• Ask for “hazards by status” to see what there is.';
