/** The texts that claims are checked by, each with its edition. Every result names them. */
export const EDITIONS = {
  code: 'CAP Code (UK Code of Non-broadcast Advertising), edition 12',
  mdr: 'Regulation (EU) 2017/745 (MDR), as consolidated in 2025',
  uk: 'UK MDR 2002 (SI 2002/618) as amended',
} as const;

/** Said in every result. */
export const TO_CHECK =
  'This is a check by words against the documents given. It is no legal or regulatory review: have your regulatory lead read the copy, and check the rules’ current text, before anything is published.';
