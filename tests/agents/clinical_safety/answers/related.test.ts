import { describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { makeMadeUpWorld } from '../conversation/world.ts';

const result = makeMadeUpWorld();
const answerTo = (question: string) => answerQuestion(result, question).text;

/** The ids of rows for which a condition holds, worked out here from the result itself. */
const hazards = result.existingHazards;
const idsWhere = (holds: (hazard: (typeof hazards)[number]) => boolean) => hazards.filter(holds).map(({ id }) => id);
const statusOf = new Map(hazards.map(({ id, status }) => [id, status]));

describe('conditions on another kind of row', () => {
  test('on the controls, causes, findings and tickets of a hazard', () => {
    const withControl = idsWhere(({ controls }) => controls.some(({ evidence }) => !evidence));
    expect(answerTo('hazards with a control without evidence')).toMatch(
      new RegExp(`^${withControl.length} hazards of 25 have a control that has no evidence:`),
    );
    const toFix = new Set(result.findings.flatMap(({ level, hazardId }) => (level === 'fix' ? [hazardId] : [])));
    expect(answerTo('how many hazards with no findings to fix')).toMatch(
      new RegExp(
        `^${idsWhere(({ id }) => !toFix.has(id)).length} hazards of 25 have no finding that has the level “fix”`,
      ),
    );
    const relevant = new Set(result.tickets.flatMap((one) => (one.relevance === 'relevant' ? one.hazardIds : [])));
    expect(answerTo('how many hazards have a relevant ticket')).toMatch(
      new RegExp(`^${idsWhere(({ id }) => relevant.has(id)).length} hazards of 25 have a ticket that is relevant`),
    );
  });

  test('on the hazard of a finding, a ticket, a proposal or a match', () => {
    const mitigated = (ids: readonly (string | null)[]) => ids.some((id) => id && statusOf.get(id) === 'Mitigated');
    const tickets = result.tickets.filter(({ hazardIds }) => mitigated(hazardIds));
    expect(answerTo('tickets matched to mitigated hazards')).toMatch(
      new RegExp(`^${tickets.length} tickets of 16 are covered by a hazard that has the status “Mitigated”`),
    );
    const findings = result.findings.filter(({ hazardId }) => mitigated([hazardId]));
    expect(answerTo('findings of mitigated hazards')).toMatch(new RegExp(`^${findings.length} findings? of 15 belong`));
    expect(answerTo('tickets matched to LR-101')).toMatch(
      /^\d+ tickets? of 16 (?:is|are) covered by a hazard that has the id “LR-101”/,
    );
    expect(answerTo('tickets matched to LR-101')).toContain('Possible matches are not counted');
    expect(answerTo('proposals for hazards with no control')).toMatch(
      /^\d+ proposals of 4 concern a hazard that has no control/,
    );
    expect(answerTo('possible matches of mitigated hazards')).toMatch(/^\d+ possible matches of 4 are with a hazard/);
  });

  test('is answered for each rating that is meant', () => {
    const text = answerTo('findings of hazards rated 4');
    expect(text).toContain('a hazard that has a recorded initial risk of 4');
    expect(text).toContain('a hazard that has a recorded residual risk of 4');
  });

  test('says which rows a missing value leaves open', () => {
    expect(answerTo('findings of hazards with a residual risk of 4')).toMatch(
      /\d+ more findings have a hazard with no recorded residual risk, and are not counted here/,
    );
  });

  test('is never read as one on the asked rows', () => {
    // “That is open” is about the ticket, of which no status is kept.
    expect(answerTo('hazards with a ticket that is open')).toContain('none of its tickets has a status');
    expect(answerTo('how many proposals with a ticket that is unsure')).toMatch(/have a ticket that is unsure/);
  });

  test('on the status of a ticket, which no result has, is refused', () => {
    expect(answerTo('Which covered tickets are open?')).toContain('none of its tickets has a status');
  });

  test.each([
    'hazards with controls without evidence',
    'hazards with only planned controls',
    'hazards with a control without evidence and an owner',
    'hazards whose controls all have evidence',
    'hazards with a control that nobody has seen',
    'tickets matched to shiny hazards',
  ])('is declined where it can be read in two ways or not at all: %s', (question) => {
    expect(answerTo(question)).toMatch(/^I can’t answer that reliably yet/);
  });
});
