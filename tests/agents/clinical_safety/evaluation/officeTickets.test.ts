import { describe, expect, test } from '@jest/globals';
import {
  type LabelledTicket,
  OFFICE_LABELS,
  OWN_LABELS,
} from '../../../../bot/agents/clinical_safety/evaluation/labelled.ts';
import { FITTED_PRODUCTS } from '../../../../bot/agents/clinical_safety/evaluation/products.ts';
import { trainOffice } from '../../../../bot/agents/clinical_safety/evaluation/train.ts';
import { rankKnowledge, ticketTerms } from '../../../../bot/agents/clinical_safety/tickets/knowledgeRanking.ts';
import { meaningOf } from '../../../../bot/agents/clinical_safety/tickets/meaning.ts';
import {
  judgeOfficeWork,
  OFFICE_MODEL,
  type OfficeModel,
} from '../../../../bot/agents/clinical_safety/tickets/officeWork.ts';
import { scoreTicket } from '../../../../bot/agents/clinical_safety/tickets/relevance.ts';
import { relevanceFeatures } from '../../../../bot/agents/clinical_safety/tickets/relevanceFeatures.ts';

const isFound = (ticket: LabelledTicket) => scoreTicket(ticket).relevance === 'relevant';

function judge({ summary, description }: LabelledTicket, model: OfficeModel) {
  const terms = ticketTerms(summary, description);
  const features = relevanceFeatures(terms, rankKnowledge(terms), { summary, description });
  return judgeOfficeWork(terms, features, meaningOf(`${summary}. ${description}`), model);
}

describe('tickets of an office', () => {
  test('are rarely called relevant, unless somebody can be harmed', () => {
    const [harmless = [], harmful = []] = [false, true].map((is) =>
      OFFICE_LABELS.filter(({ relevant }) => relevant === is),
    );
    expect([harmless.length, harmful.length]).toEqual([155, 39]);
    expect(harmless.filter(isFound).length / harmless.length).toBeLessThanOrEqual(0.3);
    expect(harmful.filter((ticket) => !isFound(ticket))).toEqual([]);
  });

  test('are no reason to overlook those of products, not even by a model that does not know them', () => {
    const office = trainOffice(OWN_LABELS, OFFICE_LABELS);
    const judged = FITTED_PRODUCTS.flatMap(({ tickets }) =>
      tickets.filter(({ relevant }) => relevant).map((ticket) => judge(ticket, office)),
    );
    expect(judged.length).toBeGreaterThanOrEqual(100);
    expect(judged.filter((most) => most === 'unsure').length / judged.length).toBeLessThanOrEqual(0.05);
  });

  test('are told from those of products by weights that come from the labelled sets', () => {
    const all = [...OWN_LABELS, ...FITTED_PRODUCTS.flatMap(({ tickets }) => tickets)];
    expect(trainOffice(all, OFFICE_LABELS)).toEqual(OFFICE_MODEL);
  });
});
