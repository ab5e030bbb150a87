import { expect, test } from '@jest/globals';
import { rephrase } from '../../../../bot/agents/clinical_safety/answers/rephrase.ts';

test.each([
  ['which risks does nobody own', 'which hazards does nobody own'],
  ['list open risks with initial severity major', 'list open hazards with initial severity major'],
  ['number of risks left at 1', 'number of hazards with residual risk of 1'],
  ['break hazards down by owner', 'hazards by owner'],
  ['how many hazards does each person own', 'how many hazards by owner'],
  ['initial risk of 12 exactly', 'initial risk of exactly 12'],
  ['hazards whose risk is lower than it was before controls', 'hazards whose risk went down'],
  ['hazards whose risk is higher after controls than at start', 'hazards whose risk went up'],
  ['hazards that went up in risk', 'hazards that risk went up'],
  ['hazards mitigated by and open', 'hazards mitigated and open'],
  ['findings that need checking', 'findings that to check'],
  ['findings to be fixed', 'findings to fix'],
  ['findings that cite clause 4.4.1', 'findings that have clause 4.4.1'],
  ['tickets that might match more than two hazards', 'tickets that with more than two possible hazards'],
  ['tickets you could not place', 'tickets that are unsure'],
  ['how many tickets could belong to qm-09', 'how many possible matches of qm-09'],
  ['which hazards are rated highest', 'which hazards have highest risk'],
  ['lowest rated hazards', 'hazards with lowest risk'],
  ['what are my worst risks', 'hazards with highest risk'],
  ['most serious hazards in log', 'hazards with highest risk'],
  ['top 5 risks', 'top 5 hazards by risk'],
])('“%s” is read as “%s”', (line, as) => {
  expect(rephrase(line)).toBe(as);
});

test.each([
  'hazards whose risks are above 2',
  'which hazards have residual risks with no owner',
  'which residual risks are above 2',
  'which risks went up after controls',
  'controls to be checked',
  'hazards that cite clause 4.4.1',
  'hazards by owner',
  'hazards that might match',
  'worst hazards of nurses',
  'top 5 owners',
  'controls rated highest',
])('“%s” stays as it is', (line) => {
  expect(rephrase(line)).toBe(line);
});
