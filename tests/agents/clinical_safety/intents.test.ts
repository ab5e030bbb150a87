import { describe, expect, test } from '@jest/globals';
import { askedBeside, type Intent, readIntent } from '../../../bot/agents/clinical_safety/intents.ts';

const SAID: [words: string, intent: Intent][] = [
  ['Analyse my hazard log', 'analyse'],
  ['please analyze the log and the tickets', 'analyse'],
  ['run the analysis again', 'analyse'],
  ['check my hazards', 'analyse'],
  ['analyse', 'analyse'],
  ['Start!', 'analyse'],
  ['Merge new lines into Hazard Log', 'merge'],
  ['merge', 'merge'],
  [' \tmerge\n', 'merge'],
  ['\n help ', 'help'],
  ['Download new hazards', 'new-hazards'],
  ['export the proposed hazards', 'new-hazards'],
  ['Try it with a sample', 'sample'],
  ['Read the tickets from Jira', 'read-tickets'],
  ['please refresh our tickets from Linear', 'read-tickets'],
  ['read the tickets again', 'read-tickets'],
  ['get the tickets that no hazard covers', 'question'],
  ['help', 'help'],
  ['Hello', 'help'],
  ['What can you do?', 'help'],
  ['Clara, help', 'help'],
  ['Clara help!', 'help'],
  ['@Clara what can you do?', 'help'],
  ['Hi Clara', 'help'],
  ['@Clara', 'help'],
  ['Clara, is help written down?', 'question'],
  ['help me with NRL01', 'question'],
  ['Which hazards have no owner?', 'question'],
  ['What did the analysis of the log find?', 'question'],
  ['How do I merge the rows?', 'question'],
  ['Why is the coverage low?', 'question'],
  ['The dose is shown in the wrong unit', 'question'],
  ['can you analyse?', 'analyse'],
  ['Could you please run the analysis', 'analyse'],
  ['please do not analyse the log yet', 'question'],
  ['I want to check hazard NRL04 controls', 'question'],
  ['can you review the wording of hazard NRL06?', 'question'],
  ['start a new hazard please', 'question'],
  ['I will merge it later', 'question'],
  ['accept all except NRL13', 'question'],
  ['please merge the new lines', 'merge'],
];

describe('a person’s request', () => {
  test.each(SAID)('“%s” is %s', (words, intent) => {
    expect(readIntent(words)).toBe(intent);
  });
});

const BESIDE: [words: string, asked: string | null][] = [
  ['here is our log', null],
  ['log attached', null],
  ['See attached.', null],
  ['Hi Clara, here are our hazard log and the tickets', null],
  ['This is the log from last week. Not to be analysed yet', null],
  ['FYI', null],
  ['analyse this', 'analyse this'],
  [' \tanalyse this\n', 'analyse this'],
  ['help', 'help'],
  ['Analyse our log, then merge it', 'Analyse our log, then merge it'],
  ['Here is our log , analyse it , thanks', 'analyse it'],
  ['Here is our log, help', null],
  ['Here is our log, all of it?', 'Here is our log, all of it?'],
  ['Here is our log, please analyse it', 'please analyse it'],
  ['log attached. Can you run the analysis', 'Can you run the analysis'],
  ['Here is our log. Which hazards have no owner?', 'Here is our log. Which hazards have no owner?'],
  ['Here is our log, tell me what it lacks', 'Here is our log, tell me what it lacks'],
  ['What is wrong with this log', 'What is wrong with this log'],
  // More than twenty-five words are a request of their own.
  [Array.from({ length: 25 }, () => 'log').join(' '), null],
  [Array.from({ length: 26 }, () => 'log').join(' '), Array.from({ length: 26 }, () => 'log').join(' ')],
];

describe('words with a file', () => {
  test.each(BESIDE)('“%s”: %s', (words, asked) => {
    expect(askedBeside(words)).toBe(asked);
  });
});
