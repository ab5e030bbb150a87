import { expect, test } from '@jest/globals';
import { placePhase } from '../../../../bot/agents/clinical_safety/queries/phases.ts';

test.each([
  ['hazards with risk of 3 before controls', 'hazards with initial risk of 3'],
  ['hazards with severity of major at start', 'hazards with initial severity of major'],
  ['hazards with likelihood of low after mitigation', 'hazards with residual likelihood of low'],
  ['hazards above 2 after controls', 'hazards with residual risk above 2'],
  ['hazards rated major initially', 'hazards rated initial severity major'],
  ['hazards that were at 3 at beginning', 'hazards that with initial risk at 3'],
  ['hazards that were at 15 or higher before controls', 'hazards that with initial risk at 15 or higher'],
  ['hazards whose risk began below 3', 'hazards whose initial risk below 3'],
  ['hazards that start out above medium likelihood', 'hazards that above medium initial likelihood'],
  ['hazards with severity of major afterwards', 'hazards with residual severity of major'],
  ['at most 1 for risk that remains', 'at most 1 for residual risk'],
  ['risk left at 1', 'residual risk at 1'],
])('“%s” names the rating before its words', (line, placed) => {
  expect(placePhase(line)).toBe(placed);
});

test.each(['initial', 'inherent', 'unmitigated', 'original'])('“%s” says the same as “before controls”', (word) => {
  const line = `hazards with ${word} risk of 3`;
  expect(placePhase(`${line} before controls`)).toBe(line);
});

test.each(['residual', 'final', 'mitigated', 'remaining'])('“%s” says the same as “after controls”', (word) => {
  const line = `hazards with ${word} risk of 3`;
  expect(placePhase(`${line} after controls`)).toBe(line);
});

test.each([
  ['which names the other rating', 'hazards with residual risk of 3 before controls'],
  ['which names the other rating', 'hazards with original risk of 3 after controls'],
  ['of a change', 'hazards whose risk went down after controls'],
  ['of a count', 'hazards with more than 3 controls after controls'],
  ['of another number', 'hazards at 2 sites before controls'],
  ['of neither rating', 'hazards after controls'],
])('a question %s is left as it is: “%s”', (_what, line) => {
  expect(placePhase(line)).toBe(line);
});
