/** The texts that the rules were written from, each with its edition. Every result names them. */
export const EDITIONS = {
  mdr: 'Regulation (EU) 2017/745 (MDR), Annex I to III and Annex VIII, as consolidated in 2025',
  guidance: 'MDCG 2019-11 rev. 1, June 2025',
  proposal:
    'The Commission proposed on 16 December 2025 to rewrite Rule 11. The proposal is not law, and nothing here follows it.',
  uk: 'UK MDR 2002 (SI 2002/618) as amended, with Annex IX of Directive 93/42/EEC, and SI 2024/1368 on surveillance, in force since 16 June 2025',
  ukPlans:
    'The MHRA plans to classify software in line with the international framework (IMDRF). That is not in force, and nothing here follows it.',
  ukAcceptance:
    'Great Britain accepts CE marked devices under MDR 2017/745 until 30 June 2030 at the latest, as published; check before you rely on it.',
  software: 'IEC 62304:2006 with amendment 1:2015, clause 4.3',
} as const;

/** Said in every result. */
export const TO_CHECK =
  'This is a draft reasoned by rules from the facts given. It is no assessment of conformity: check it with your regulatory lead and your notified or approved body.';
