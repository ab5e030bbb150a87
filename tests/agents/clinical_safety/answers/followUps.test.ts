import { describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import {
  answerFollowUp,
  declineFollowUp,
  type Earlier,
  mayFollow,
} from '../../../../bot/agents/clinical_safety/answers/followUps.ts';
import { askablesOf } from '../../../../bot/agents/clinical_safety/queries/entities.ts';
import { makeMadeUpWorld } from '../conversation/world.ts';

const result = makeMadeUpWorld();
const kindOf = (noun: string) => askablesOf(result).find(({ nouns }) => nouns.includes(noun)) ?? null;

/** Says messages one after the other; gives the answer to the last. */
async function talk(messages: readonly string[]): Promise<string> {
  let earlier: Earlier | null = null;
  let text = '';
  for (const message of messages) {
    const followUp =
      earlier && mayFollow(message) ? await answerFollowUp(earlier, message, async (noun) => kindOf(noun)) : null;
    const answer = answerQuestion(result, message, null, null, followUp);
    const isOpen = answer.isDeclined || answer.kind === 'unknown';
    text = ((isOpen && declineFollowUp(earlier, message)) || answer).text;
    const asked = answer.asked ?? answer.goesOn ?? null;
    if (answer.isOfRows) earlier = { asked, kind: asked && kindOf(asked.query.entity), isOutdated: false };
  }
  return text;
}
const headOf = async (...messages: string[]) => (await talk(messages)).split('\n')[0];

describe('a message after an answer about rows', () => {
  test.each<[string, string[]]>([
    [
      '4 hazards of 25 have the status “Mitigated” and a recorded residual risk above 4:',
      ['Which hazards are mitigated?', 'and which of those have a residual risk above 4?'],
    ],
    [
      '10 hazards of 25 have the status “Mitigated”:',
      ['how many hazards are there?', 'how many of them are mitigated'],
    ],
    ['10 hazards of 25 have the status “Mitigated”:', ['Hazards by status', 'only the mitigated ones']],
    ['10 hazards of 25 have the status “Mitigated”:', ['How many hazards are mitigated?', 'which ones?']],
    [
      '10 hazards of 25 have the status “Mitigated”, by owner:',
      ['Which hazards are mitigated?', 'group them by owner'],
    ],
    [
      '10 hazards of 25 have the status “Mitigated”, by recorded residual risk, the highest first:',
      ['Which hazards are mitigated?', 'can you sort them by residual risk please'],
    ],
    [
      '10 hazards of 25 have the status “Mitigated”, by recorded residual risk, the lowest first:',
      ['Which hazards are mitigated?', 'sort them by residual risk', 'other way round'],
    ],
    [
      '4 hazards of 25 have the status “In progress”:',
      ['Which hazards are mitigated?', 'what about the in progress ones?'],
    ],
    [
      '14 hazards of 25 have the status “Mitigated” or “In progress”:',
      ['Which hazards are mitigated?', 'also the in progress ones'],
    ],
    ['13 hazards of 25 have a status other than “Mitigated”:', ['Which hazards are mitigated?', 'the other ones']],
    [
      '6 hazards of 25 have the status “Mitigated” and no recorded residual risk above 4:',
      ['Which hazards are mitigated?', 'except those with a residual risk above 4'],
    ],
    [
      '10 hazards of 25 have the status “Mitigated” and an owner:',
      ['Which hazards are mitigated?', 'do any of those have an owner?'],
    ],
    [
      '6 tickets of 16 are relevant to safety and relevant and not covered:',
      ['Which tickets are relevant?', 'just the uncovered ones'],
    ],
    [
      '3 findings of 15 have the level “fix” and the clause “4.4.1”:',
      ['findings to fix', 'which of those are about clause 4.4.1'],
    ],
    // The five with the highest risk are picked first, then those of them that are mitigated.
    [
      '4 hazards of 25 have a recorded residual risk at least 10 and the status “In progress”:',
      ['the 5 hazards with the highest residual risk', 'which of these are in progress?'],
    ],
  ])('narrows, widens or re-orders it: %s', async (head, messages) => {
    expect(await headOf(...messages)).toBe(head);
  });

  test('is asked back where two things can be meant, with the number of each', async () => {
    expect(await talk(['Which hazards are mitigated?', 'what about the ones with no evidence?'])).toMatch(
      /^You can mean two things:\n• \d+ hazards of 25 have the status “Mitigated” and no evidence for any control\.\n• \d+ hazards of 25 have no evidence for any control\.\nAsk for one/,
    );
    expect(await talk(['Which hazards are mitigated?', 'only the in progress ones'])).toMatch(
      /^You can mean two things:\n• 0 hazards of 25 have the status “Mitigated” and the status “In progress”\.\n• 4 hazards of 25 have the status “In progress”/,
    );
    expect(await talk(['Which hazards have no owner?', 'which of those are mitigated', 'the others'])).toMatch(
      /^You can mean two things:\n• \d+ hazards? of 25 ha(?:s|ve) no owner and a status other than “Mitigated”\.\n• \d+ hazards of 25 have an owner or a status other than “Mitigated”/,
    );
  });

  test.each<[RegExp, string[]]>([
    [/haven’t answered a question about rows in this conversation/, ['which of those are open?']],
    [/haven’t answered a question about rows in this conversation/, ['thanks', 'sort them by risk']],
    [/did not understand “severe”/, ['Which hazards are mitigated?', 'only the severe ones']],
    [/none of its tickets has a status/, ['Which hazards are mitigated?', 'what about tickets?']],
    [/can’t ask tickets for the same: they have no owner/, ['Which hazards have no owner?', 'what about tickets?']],
    [/was about hazards, not tickets/, ['Which hazards are mitigated?', 'which of those tickets are relevant?']],
    [/its values for status are/, ['Which hazards are mitigated?', 'what about controls?']],
    // Two risks, and so no one list.
    [/can’t tell which rows of my last answer/, ['Which hazards have a risk above 4?', 'how many of them?']],
    [/one end of an order/, ['the 3 hazards with the highest residual risk', 'other way round']],
    [/no order/, ['Which hazards are mitigated?', 'in reverse']],
    [/about all hazards: there are no others/, ['Hazards by status', 'the other ones']],
    [/named 12 of \d+ hazards, so “the others” may be/, ['Which hazards have a control?', 'the others']],
    [/about all hazards already/, ['Hazards by status', 'also the mitigated ones']],
  ])('is refused rather than guessed: %s', async (says, messages) => {
    expect(await talk(messages)).toMatch(says);
  });

  test('that is about something else is answered as ever', async () => {
    expect(await talk(['Which hazards are mitigated?', 'thanks'])).toBe('You’re welcome.');
    expect(await headOf('Which hazards are mitigated?', 'which tickets are relevant?')).toMatch(/^12 tickets of 16/);
    expect(await headOf('Which hazards are mitigated?', 'only closed hazards')).toMatch(
      /^0 hazards of 25 have the status “Closed”/,
    );
    expect(await talk(['Which hazards are mitigated?', 'one of them harmed a patient yesterday'])).toMatch(
      /incident|harm/i,
    );
  });

  test('is about the analysis of the answer, not about a newer one', async () => {
    const asked = answerQuestion(result, 'Which hazards are mitigated?').asked ?? null;
    const earlier = { asked, kind: kindOf('hazards'), isOutdated: true };
    const answer = await answerFollowUp(earlier, 'how many of them?', async () => null);
    expect(answer).toMatchObject({ kind: 'refusal', text: expect.stringContaining('A newer analysis') });
  });
});
