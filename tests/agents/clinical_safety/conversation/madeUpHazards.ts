import type { Control, ExistingHazard, Rating } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeHazard } from '../../../factories/analysisResult.ts';

/** The sheet of the made-up log. */
export const SHEET = 'Risk register';

/** Severity and likelihood from 1 to 5, and the recorded risk where it is not their product. */
type Rated = [severity: number | null, likelihood: number | null, recorded?: number];
type Measure = [kind: Control['kind'], text: string, owner: string | null, status: string | null, evidence?: string];
type Row = {
  name: string;
  type: string;
  impact: string;
  before: Rated;
  after: Rated;
  owner: string | null;
  status: string | null;
  causes: string[];
  controls: Measure[];
  tickets?: string[];
};

const rating = ([severity, likelihood, recorded]: Rated): Rating => {
  const product = severity === null || likelihood === null ? null : severity * likelihood;
  return {
    severity: severity === null ? null : String(severity),
    likelihood: likelihood === null ? null : String(likelihood),
    risk: recorded ?? product,
    expectedRisk: product,
  };
};
const NOT_RATED: Rated = [null, null];

const CLINICAL = 'Clinical lead';
const PRODUCT = 'Product manager';
const SERVICE = 'Service manager';
const DATA = 'Data lead';
const ACCEPTED = 'Accepted – monitoring';

const ROWS: Row[] = [
  {
    name: 'Urgent referral is queued as routine',
    type: 'Triage',
    impact: 'Cancer is diagnosed late.',
    before: [5, 4],
    after: [5, 3],
    owner: CLINICAL,
    status: 'In progress',
    causes: ['Priority is lost when the referral is copied', 'Routine is the default'],
    controls: [
      ['design', 'Priority is carried to every copy', PRODUCT, 'Done', 'LT-201'],
      ['test', 'Copies of each priority', PRODUCT, 'Done', 'Test report 14'],
      ['business', 'Daily look through the routine queue', CLINICAL, 'Planned'],
    ],
    tickets: ['LT-201'],
  },
  {
    name: 'Letter is filed under the wrong patient',
    type: 'Referral intake',
    impact: 'The wrong patient is called in.',
    before: [5, 3],
    after: [5, 1],
    owner: CLINICAL,
    status: 'Mitigated',
    causes: ['Two patients share a name'],
    controls: [
      ['design', 'NHS number is matched before filing', PRODUCT, 'Done', 'Test report 9'],
      ['training', 'Filing guide for front desks', SERVICE, 'Done', 'Attendance list'],
    ],
  },
  {
    name: 'Referral is lost between two practices',
    type: 'Referral intake',
    impact: 'Nobody sees the patient.',
    before: [4, 3],
    after: [4, 2],
    owner: PRODUCT,
    status: 'Mitigated',
    causes: ['A message is refused and nobody is told', 'The practice code has changed', 'The queue is emptied'],
    controls: [
      ['design', 'Refused messages go into a work list', PRODUCT, 'Done', 'LT-205'],
      ['test', 'Refused and late messages', PRODUCT, 'Done', 'Test report 11'],
    ],
    tickets: ['LT-205'],
  },
  {
    name: 'Triage advice is sent to an old address',
    type: 'Messaging',
    impact: 'Advice does not arrive.',
    before: [3, 3],
    after: [3, 1],
    owner: SERVICE,
    status: 'Mitigated',
    causes: ['The address is not fetched again'],
    controls: [['design', 'Address is fetched at sending', PRODUCT, 'Done', 'Test report 12']],
  },
  {
    name: 'Red flag symptom is not asked for',
    type: 'Triage',
    impact: 'An emergency is missed.',
    before: [5, 3],
    after: [5, 2],
    owner: CLINICAL,
    status: ACCEPTED,
    causes: ['The question is hidden by an earlier answer', 'The question set is old'],
    controls: [
      ['design', 'Red flags come first', PRODUCT, 'Done', 'Test report 15'],
      ['test', 'Each path through the questions', PRODUCT, 'Overdue'],
      ['training', 'Call handlers’ refresher', CLINICAL, 'Done'],
    ],
  },
  {
    name: 'Two clinicians grade one referral differently',
    type: 'Triage',
    impact: 'Care starts late.',
    before: [3, 4],
    after: [3, 3],
    owner: null,
    status: 'Not started',
    causes: ['No locking of a referral'],
    controls: [],
  },
  {
    name: 'Appointment slot is double booked',
    type: 'Booking',
    impact: 'A patient is sent home.',
    before: [2, 4],
    after: [2, 2],
    owner: SERVICE,
    status: 'Mitigated',
    causes: ['Two desks book at the same moment'],
    controls: [
      ['existing', 'Desk telephones the clinic', null, null],
      ['design', 'A slot is held while it is booked', PRODUCT, 'Done', 'LT-207'],
    ],
    tickets: ['LT-207'],
  },
  {
    name: 'Cancelled slot is not offered again',
    type: 'Booking',
    impact: 'Waiting grows longer.',
    before: [2, 3],
    after: [2, 3],
    owner: SERVICE,
    status: ACCEPTED,
    causes: ['The clinic system sends no cancellation'],
    controls: [['business', 'Weekly list of unused slots', SERVICE, 'Done', 'Minutes of May']],
  },
  {
    name: 'Interpreter need is dropped from the referral',
    type: 'Referral intake',
    impact: 'Consent is not understood.',
    before: [3, 3],
    after: NOT_RATED,
    owner: PRODUCT,
    status: 'Not started',
    causes: ['The field has no place in the message'],
    controls: [['business', 'Front desk asks at booking', null, 'Planned']],
  },
  {
    name: 'Waiting-list clock restarts on transfer',
    type: 'Booking',
    impact: 'Treatment is months late.',
    before: [4, 4],
    after: [4, 5],
    owner: PRODUCT,
    status: 'In progress',
    causes: ['A transfer makes a new referral'],
    controls: [
      ['design', 'First date is kept on transfer', PRODUCT, 'Overdue'],
      ['test', 'Transfers of each kind', DATA, 'Planned'],
    ],
  },
  {
    name: 'Attachment can’t be opened by the hospital',
    type: 'Messaging',
    impact: 'Triage lacks the scan.',
    before: [3, 4],
    after: [3, 2],
    owner: DATA,
    status: 'Mitigated',
    causes: ['Formats differ', 'Large files are cut'],
    controls: [
      ['design', 'Attachments are turned into PDF', PRODUCT, 'Done', 'LT-209'],
      ['test', 'Every format that practices send', DATA, 'Done', 'Test report 16'],
    ],
    tickets: ['LT-209'],
  },
  {
    name: 'Safeguarding note is visible to the patient',
    type: 'Access',
    impact: 'A child is put at risk.',
    before: [5, 2],
    after: [5, 1],
    owner: DATA,
    status: ACCEPTED,
    causes: ['The note is part of the letter'],
    controls: [
      ['design', 'Safeguarding notes are kept apart', PRODUCT, 'Done', 'Test report 17'],
      ['training', 'Guide on safeguarding notes', CLINICAL, 'Overdue'],
    ],
  },
];

const MORE_ROWS: Row[] = [
  {
    name: 'Child is triaged with the questions for adults',
    type: 'Triage',
    impact: 'Sepsis is missed.',
    before: [4, 4],
    after: [4, 1],
    owner: CLINICAL,
    status: 'Mitigated',
    causes: ['Age is worked out from today’s date only'],
    controls: [
      ['design', 'Question set is chosen by date of birth', PRODUCT, 'Done', 'LT-211'],
      ['test', 'Birthdays on each side of 16', PRODUCT, 'Done', 'Test report 18'],
      ['training', 'Paediatric triage course', CLINICAL, 'Done', 'Attendance list'],
    ],
    tickets: ['LT-211'],
  },
  {
    name: 'Outage hides the incoming queue',
    type: 'Access',
    impact: 'Urgent referrals wait unseen.',
    before: [4, 3],
    after: [4, 3],
    owner: null,
    status: 'In progress',
    causes: ['One site only', 'The alarm goes to an empty mailbox'],
    controls: [['business', 'Practices telephone urgent referrals', SERVICE, 'Planned']],
  },
  {
    name: 'Target date for suspected cancer is miscalculated',
    type: 'Booking',
    impact: 'Cancer is treated late.',
    before: [5, 4],
    after: [4, 4],
    owner: DATA,
    status: 'In progress',
    causes: ['Bank holidays are counted as working days'],
    controls: [['test', 'Dates across bank holidays', DATA, 'Done', 'Test report 19']],
  },
  {
    name: 'Reminder text names the clinic openly',
    type: 'Messaging',
    impact: 'Privacy is lost.',
    before: [2, 2],
    after: [2, 1],
    owner: PRODUCT,
    status: 'Mitigated',
    causes: ['One template for all clinics'],
    controls: [['design', 'Reminders name the hospital only', PRODUCT, 'Done', 'LT-212']],
    tickets: ['LT-212'],
  },
  {
    name: 'Referrer never learns of a rejection',
    type: 'Messaging',
    impact: 'The patient waits for nothing.',
    before: [4, 2],
    after: [3, 1],
    owner: SERVICE,
    status: null,
    causes: ['Rejections are sent once'],
    controls: [['design', 'Rejections are repeated until read', PRODUCT, 'Done', 'Test report 20']],
  },
  {
    name: 'Duplicate referral splits the history',
    type: 'Referral intake',
    impact: 'Triage sees half of the history.',
    before: [3, 2],
    after: [3, 2],
    owner: DATA,
    status: ACCEPTED,
    causes: ['No check for an open referral'],
    controls: [['existing', 'Staff merge duplicates by hand', null, null]],
  },
  {
    name: 'Free-text urgency is ignored by the sort',
    type: 'Triage',
    impact: 'An urgent case waits.',
    before: [4, 2],
    after: NOT_RATED,
    owner: CLINICAL,
    status: 'Not started',
    causes: ['Only the coded priority is sorted'],
    controls: [['training', 'Referrers choose the coded priority', CLINICAL, 'Planned']],
  },
  {
    name: 'Locum can’t see the team’s queue',
    type: 'Access',
    impact: 'Triage is delayed by a day.',
    before: [2, 3],
    after: [2, 1],
    owner: null,
    status: null,
    causes: ['Rights follow the post, not the person'],
    controls: [['design', 'Guest rights for a day', DATA, 'Done', 'Test report 21']],
  },
  {
    name: 'Old guideline text is shown at triage',
    type: 'Triage',
    impact: 'Old advice is followed.',
    before: [3, 3],
    after: [2, 2],
    owner: CLINICAL,
    status: 'Mitigated',
    causes: ['Guidelines are updated by hand'],
    controls: [['business', 'Monthly guideline check', CLINICAL, 'Done', 'Minutes of June']],
  },
  {
    name: 'Photo of a skin lesion is compressed too far',
    type: 'Referral intake',
    impact: 'Melanoma is not recognised.',
    before: [4, 2],
    after: [4, 1],
    owner: PRODUCT,
    status: 'Mitigated',
    causes: ['Upload limit of the old gateway'],
    controls: [['design', 'Photos keep their resolution', PRODUCT, 'Done', 'Test report 22']],
  },
  {
    name: 'Patient’s choice of hospital is overwritten',
    type: 'Booking',
    impact: 'The patient travels too far.',
    before: [2, 2],
    after: [1, 1],
    owner: PRODUCT,
    status: ACCEPTED,
    causes: ['The nearest hospital is filled in again'],
    controls: [['design', 'A choice is never overwritten', PRODUCT, 'Done', 'Test report 23']],
  },
  {
    name: 'Queue filter hides referrals without a postcode',
    type: 'Access',
    impact: 'A referral is never triaged.',
    before: [4, null],
    after: NOT_RATED,
    owner: DATA,
    status: 'Not started',
    causes: [],
    controls: [],
  },
  {
    name: 'Letter template prints details of the patient before',
    type: 'Messaging',
    impact: 'Another person’s diagnosis is disclosed.',
    before: [5, 2, 8],
    after: [5, 1],
    owner: SERVICE,
    status: 'Mitigated',
    causes: ['A field is not cleared'],
    controls: [
      ['design', 'Fields are cleared before each letter', PRODUCT, 'Done', 'Test report 24'],
      ['test', 'Batches of letters', DATA, 'Done'],
    ],
  },
];

const FIRST_ID = 101;
const FIRST_ROW = 3;

/** The 25 hazards of the made-up log of a referral and triage product, LR-101 to LR-125, on one row each. */
export const makeMadeUpHazards = (): ExistingHazard[] =>
  [...ROWS, ...MORE_ROWS].map((row, at) => {
    const place = (column: string) => ({ sheet: SHEET, cell: `${column}${FIRST_ROW + at}` });
    return makeHazard({
      id: `LR-${FIRST_ID + at}`,
      name: row.name,
      description: `${row.name}.`,
      type: row.type,
      clinicalImpact: row.impact,
      causes: row.causes.map((text) => ({ id: null, text, place: place('D') })),
      initial: rating(row.before),
      residual: rating(row.after),
      controls: row.controls.map(([kind, text, owner, status, evidence]) => ({
        kind,
        text,
        owner,
        status,
        evidence: evidence ?? null,
        place: place('H'),
      })),
      owner: row.owner,
      status: row.status,
      ticketKeys: row.tickets ?? [],
      rows: { sheet: SHEET, first: FIRST_ROW + at, last: FIRST_ROW + at },
    });
  });
