import { type Field, makeField, sentenceCase } from './screen.ts';

type Known = {
  words: RegExp;
  fields: Field[];
  /** True for words that often mean people or places, and a field only in a list. */
  listedOnly?: true;
};

const known = (words: RegExp, ...fields: (Partial<Field> & { label: string })[]): Known => ({
  words,
  fields: fields.map(makeField),
});
const inLists = (...row: Parameters<typeof known>): Known => ({ ...known(...row), listedOnly: true });
const number = (label: string, unit: string | null, sample: string) =>
  ({ label, type: 'number', unit, sample, required: true }) as const;
const choice = (label: string, ...options: string[]) =>
  ({ label, type: 'choice', options, sample: options[0] ?? '' }) as const;

/** Common fields of health software. The first row that matches a phrase gives its fields. */
const KNOWN: readonly Known[] = [
  known(/\boccupancy\b/i, number('Bed occupancy', '%', '92')),
  known(
    /\bblood pressure\b|\bBP\b/i,
    number('Systolic blood pressure', 'mmHg', '124'),
    number('Diastolic blood pressure', 'mmHg', '78'),
  ),
  known(/\b(pulse|heart rate)\b/i, number('Pulse', 'beats per minute', '76')),
  known(/\btemperature\b/i, number('Temperature', '°C', '37.2')),
  known(/\brespirat(ory|ion) rate\b|\bresp rate\b/i, number('Respiratory rate', 'breaths per minute', '16')),
  known(/\boxygen( saturation| level)?s?\b|\bSpO2\b|\bsats\b/i, number('Oxygen saturation', '%', '97')),
  known(/\bweight\b/i, number('Weight', 'kg', '72.5')),
  known(/\bheight\b/i, number('Height', 'cm', '168')),
  known(/\bBMI\b|\bbody mass index\b/i, number('Body mass index', 'kg/m²', '25.7')),
  known(/\b(blood )?(glucose|sugars?)\b/i, number('Blood glucose', 'mmol/L', '5.6')),
  known(/\bHbA1c\b/i, number('HbA1c', 'mmol/mol', '48')),
  known(/\bcholesterol\b/i, number('Cholesterol', 'mmol/L', '4.8')),
  known(/\beGFR\b/i, number('eGFR', 'mL/min/1.73 m²', '82')),
  known(/\bcreatinine\b/i, number('Creatinine', 'µmol/L', '84')),
  known(/\bpotassium\b/i, number('Potassium', 'mmol/L', '4.2')),
  known(/\bINR\b/i, number('INR', 'ratio', '2.4')),
  known(/\bpain\b/i, number('Pain score', 'out of 10', '3')),
  known(/\b(NEWS ?2?|early warning) score\b|\bNEWS2\b/i, number('NEWS2 score', 'out of 20', '2')),
  known(/\bfluid (intake|input)\b/i, number('Fluid intake', 'mL', '250')),
  known(/\b(fluid|urine) output\b/i, number('Urine output', 'mL', '180')),
  known(/\bstrength\b/i, number('Strength', 'mg', '500')),
  known(/\bdos(e|age)s?\b/i, number('Dose', 'mg', '500')),
  known(/\bquantity\b/i, number('Quantity', 'items', '21')),
  known(/\bwait(ing)? times?\b/i, number('Waiting time', 'minutes', '35')),
  known(/\bduration\b/i, number('Duration', 'days', '7')),
  known(/\bage\b/i, number('Age', 'years', '47')),
  known(/\broute\b/i, choice('Route', 'Oral', 'Intravenous', 'Intramuscular', 'Subcutaneous', 'Topical')),
  known(/\bfrequency\b/i, choice('Frequency', 'Once a day', 'Twice a day', 'Three times a day', 'As needed')),
  known(/\b(medicine|medication|drug)s?( names?)?\b/i, { label: 'Medicine', sample: 'Amoxicillin', required: true }),
  known(/\ballerg(y|ies)\b/i, { label: 'Allergies', sample: 'Penicillin: rash' }),
  known(/\bsymptoms?\b/i, { label: 'Symptoms', type: 'long-text', sample: 'Cough and fever for three days' }),
  known(/\bdiagnos[ie]s\b/i, { label: 'Diagnosis', sample: 'Asthma' }),
  known(/\b(referral reason|reasons? for (the )?referral)\b/i, {
    label: 'Reason for referral',
    type: 'long-text',
    sample: 'Shortness of breath on exertion for six weeks',
    required: true,
  }),
  known(/\breasons?\b/i, { label: 'Reason', type: 'long-text', sample: 'Follow-up after a change of medicine' }),
  known(/\bNHS numbers?\b/i, { label: 'NHS number', sample: '999 123 4578', required: true }),
  known(/\b(dates? of birth|birth ?dates?|DOB)\b/i, {
    label: 'Date of birth',
    type: 'date',
    sample: '14 Mar 1978',
    required: true,
  }),
  known(/\bfirst names?\b/i, { label: 'First name', sample: 'Amira', required: true }),
  known(/\b(last|family) names?\b|\bsurnames?\b/i, { label: 'Last name', sample: 'Hassan', required: true }),
  known(/^((patient|full|their|client)('?s)? )?names?$/i, {
    label: 'Full name',
    sample: 'Amira Hassan',
    required: true,
  }),
  known(/\bpost ?codes?\b/i, { label: 'Postcode', sample: 'LS1 4AP' }),
  known(/\be-?mail( address(es)?)?\b/i, { label: 'Email', type: 'email', sample: 'amira@example.org', required: true }),
  known(/\baddress(es)?\b/i, { label: 'Address', sample: '12 Park Row, Leeds' }),
  known(/\b(phone|telephone|mobile)( numbers?)?\b/i, { label: 'Phone number', type: 'phone', sample: '0113 496 0000' }),
  known(/\bpasswords?\b/i, { label: 'Password', type: 'password', sample: '••••••••••', required: true }),
  known(/\buser ?names?\b/i, { label: 'Username', sample: 'a.hassan', required: true }),
  known(/\b(gender|sex)\b/i, choice('Sex', 'Female', 'Male', 'Not known', 'Not specified')),
  known(/\bnext of kin\b/i, { label: 'Next of kin', sample: 'Yusuf Hassan, brother' }),
  inLists(/\bGP( practice| surgery)?\b/i, { label: 'GP practice', sample: 'Park Row Surgery' }),
  inLists(/\b(clinician|doctor|consultant|practitioner|prescriber)s?\b/i, { label: 'Clinician', sample: 'Dr J. Osei' }),
  known(/\bclinics?\b/i, choice('Clinic', 'Leeds General', 'St James’s', 'Wharfedale')),
  known(/\bspecialt(y|ies)\b/i, choice('Specialty', 'Cardiology', 'Respiratory', 'Dermatology', 'Orthopaedics')),
  known(/\bwards?\b/i, choice('Ward', 'Ward 4', 'Ward 7', 'Ward 12')),
  known(/\bbeds?\b/i, { label: 'Bed', sample: '4B' }),
  known(/\b(locations?|site|where it happened)\b/i, { label: 'Location', sample: 'Outpatients, room 3' }),
  known(/\b(urgency|priority)\b/i, choice('Urgency', 'Routine', 'Urgent', 'Emergency')),
  known(/\bseverity\b/i, choice('Severity', 'No harm', 'Low', 'Moderate', 'Severe')),
  known(/\bstatus\b/i, choice('Status', 'Waiting', 'In progress', 'Done')),
  known(/^(test )?results?$/i, number('Result', 'mmol/L', '4.2')),
  known(/^test$/i, { label: 'Test', sample: 'Potassium' }),
  known(/^what happened$/i, {
    label: 'What happened',
    type: 'long-text',
    sample: 'The wrong label was printed and noticed before use',
    required: true,
  }),
  known(/\breference ranges?\b/i, { label: 'Reference range', sample: '3.5 to 5.3 mmol/L' }),
  known(/\b(batch|lot) numbers?\b/i, { label: 'Batch number', sample: 'AB1234' }),
  known(/\bconsent\b/i, { label: 'Consent given', type: 'yes-no', sample: 'Yes' }),
  known(/\b(attachments?|photos?|images?|scans?)\b/i, { label: 'Attachment', type: 'file', sample: 'wound-front.jpg' }),
  known(/\breminders?\b/i, { label: 'Reminders', type: 'yes-no', sample: 'Yes' }),
  known(/\bnotifications?\b/i, { label: 'Notifications', type: 'yes-no', sample: 'Yes' }),
  known(/\blanguages?\b/i, choice('Language', 'English', 'Cymraeg', 'Polski', 'اردو')),
  known(/\btext size\b/i, choice('Text size', 'Standard', 'Large', 'Extra large')),
];

type Shape = { words: RegExp; give: Partial<Field> };

/** The types of other fields, by the words of their names. */
const SHAPES: readonly Shape[] = [
  { words: /\b(date|day|expiry|due|deadline)\b/i, give: { type: 'date', sample: '4 Nov 2026' } },
  { words: /\b(time|slot)\b/i, give: { type: 'time', sample: '10:30' } },
  {
    words: /\b(score|count|amount|level|rate|volume|total|how many|number of)\b/i,
    give: { type: 'number', sample: '12' },
  },
  {
    words: /\b(notes?|comments?|summary|description|history|details|plan|advice|message|what happened|outcomes?)\b/i,
    give: { type: 'long-text', sample: 'Seen today and feeling better. Review in two weeks.' },
  },
  {
    words: /\b(type|category|kind|reason code|method|preferred)\b/i,
    give: { type: 'choice', options: ['First option', 'Second option', 'Other'], sample: 'First option' },
  },
  { words: /^(whether|is|has|agreed?|confirmed)\b/i, give: { type: 'yes-no', sample: 'Yes' } },
  { words: /\b(file|document|upload|letter)\b/i, give: { type: 'file', sample: 'letter.pdf' } },
];

const UNIT =
  /(?:(?<!\s)\s+)?(?:\((?:in )?([^)]{1,12})\)|\bin (mmHg|kg|g|mg|mcg|micrograms|mL|ml|cm|mmol\/L|°C|%|minutes|hours|days|weeks|years))\s*$/i;

/** Texts in brackets that are not a unit. */
const NO_UNIT = /^(optional|required|number|number of|if any)$/i;

/** The fields that a phrase names: known ones, or else one with the phrase as its label. */
export function fieldsOf(phrase: string): Field[] {
  const [, bracketed, spoken] = UNIT.exec(phrase) ?? [];
  const said = bracketed ?? spoken ?? null;
  const isOptional = said === 'optional';
  const unit = said !== null && NO_UNIT.test(said) ? null : said;
  const name = phrase.replace(UNIT, '').trim();
  const row = KNOWN.find(({ words }) => words.test(name));
  if (row) {
    const [only] = row.fields;
    // "preferred clinic" keeps "preferred", which distinguishes it from other clinics.
    const own = row.fields.length === 1 && name.toLowerCase().includes(only?.label.toLowerCase() ?? '-');
    return row.fields.map((field) => ({
      ...field,
      ...(own ? { label: sentenceCase(name) } : {}),
      ...(unit && field.type === 'number' ? { unit } : {}),
      ...(isOptional ? { required: false } : {}),
    }));
  }
  const label = sentenceCase(name);
  if (unit) return [makeField({ label, type: 'number', unit, sample: '12', required: true })];
  const isCount = said === 'number' || said === 'number of';
  const shape: Partial<Field> | undefined = isCount
    ? { type: 'number', sample: '2' }
    : SHAPES.find(({ words }) => words.test(name))?.give;
  return [makeField({ label, ...shape })];
}

/** The known fields that a text names anywhere, in the order of the text. */
export function fieldsIn(text: string): Field[] {
  const found = KNOWN.flatMap(({ words, fields, listedOnly }) => {
    const at = listedOnly ? -1 : text.search(words);
    return at < 0 ? [] : [{ at, fields }];
  });
  return found.sort((one, other) => one.at - other.at).flatMap(({ fields }) => fields.map((field) => ({ ...field })));
}
