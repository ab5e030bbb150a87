import { describe, expect, test } from '@jest/globals';
import { asksFor, describesScreen } from '../../../bot/agents/designer/intents.ts';
import { proposeComponents, proposeLayout } from '../../../bot/agents/designer/screen/propose.ts';
import { readObjective } from '../../../bot/agents/designer/screen/readObjective.ts';
import { hasObjective } from '../../../bot/agents/designer/screen/readTitle.ts';

const labels = (objective: string) => readObjective(objective).fields.map(({ label }) => label);
const buttons = (objective: string) => readObjective(objective).actions.map(({ label }) => label);

describe('the kind of a screen', () => {
  test.each([
    ['a referral form', 'form'],
    ['nurses to record blood pressure', 'form'],
    ['a worklist of patients waiting for triage', 'list'],
    ['the waiting list of the clinic', 'list'],
    ['engineers to see the status of our tickets', 'list'],
    ['the details of a patient', 'detail'],
    ['a dashboard for ward managers', 'dashboard'],
    ['patients to chat with a pharmacist', 'chat'],
    ['a sign-in page', 'sign-in'],
    ['logging in: a login form', 'sign-in'],
    ['a settings page', 'settings'],
    ['a GP to review test results and approve or reject them', 'review'],
    ['something else entirely', 'form'],
  ])('“%s” is a %s', (objective, kind) => {
    expect(readObjective(`Design a screen for ${objective}`).kind).toBe(kind);
  });
});

describe('the title and the users', () => {
  test.each([
    ['Design a screen for nurses to record blood pressure and pulse', 'Record blood pressure and pulse', 'nurses'],
    ['Design a referral form with reason and urgency', 'Referral form', null],
    ['Please design a screen where a GP can review test results', 'Review test results', 'GPs'],
    ['Design a screen to chat with a pharmacist', 'Chat with a pharmacist', 'pharmacists'],
    ['Design a form for a parent to report a reaction', 'Form for a parent to report a reaction', 'parents'],
    ['Design a form for a midwife to record a birth', 'Form for a midwife to record a birth', 'midwives'],
    ['Design a form for a secretary to book a bed', 'Form for a secretary to book a bed', 'secretaries'],
    ['Design a screen for staff to book a bed', 'Book a bed', 'staff'],
    ['Design a worklist of patients waiting for triage showing name', 'Worklist of patients waiting for triage', null],
    ['Design a sign-in page', 'Sign in', null],
    ['Design a settings page for notifications', 'Settings', null],
    ['Design a screen showing the details of a patient: allergies', 'Details of a patient', null],
  ])('“%s”', (objective, title, audience) => {
    expect(readObjective(objective)).toMatchObject({ title, audience });
  });

  test('a long title ends with a whole word, within 60 characters', () => {
    const { title } = readObjective(`Design a screen to ${'compare the many things of a ward '.repeat(4)}`);
    expect(title.length).toBeLessThanOrEqual(60);
    expect(title).toBe('Compare the many things of a ward compare the many things of');
  });
});

describe('the fields', () => {
  test.each<[string, string[]]>([
    [
      'Design a screen for nurses to record blood pressure, pulse and temperature',
      ['Systolic blood pressure', 'Diastolic blood pressure', 'Pulse', 'Temperature'],
    ],
    [
      'Design a referral form with reason for referral, urgency, preferred clinic and an attachment',
      ['Reason for referral', 'Urgency', 'Preferred clinic', 'Attachment'],
    ],
    [
      'Design a screen for prescribing a medicine with dose, route and frequency',
      ['Medicine', 'Dose', 'Route', 'Frequency'],
    ],
    [
      'Screen to register a new patient: first name, surname, DOB, NHS number and postcode',
      ['First name', 'Last name', 'Date of birth', 'NHS number', 'Postcode'],
    ],
    ['A form with favourite colour, shoe size in cm and a save button', ['Favourite colour', 'Shoe size']],
    ['Design a sign-in page', ['Email', 'Password']],
    ['Design a sign-in page with username and password', ['Username', 'Password']],
    ['Design a screen to chat with a pharmacist', []],
  ])('“%s” names %j', (objective, expected) => {
    expect(labels(objective)).toEqual(expected);
    expect(readObjective(objective).assumed).toBe(false);
  });

  test.each([
    ['Design a screen for booking appointments', ['Date', 'Time', 'Clinic', 'Clinician', 'Reason']],
    ['Design a form', ['Date', 'Reason', 'Notes']],
  ])('“%s” names none, so the usual ones are assumed, and marked as such', (objective, expected) => {
    expect(labels(objective)).toEqual(expected);
    expect(readObjective(objective).assumed).toBe(true);
  });

  test.each([
    ['blood pressure and pulse', 'Systolic blood pressure', 'number', 'mmHg'],
    ['weight and height', 'Weight', 'number', 'kg'],
    ['blood glucose and age', 'Blood glucose', 'number', 'mmol/L'],
    ['dose in micrograms and route', 'Dose', 'number', 'micrograms'],
    ['peak flow (L/min) and date', 'Peak flow', 'number', 'L/min'],
    ['appointment date and reason', 'Appointment date', 'date', null],
    ['clinical notes and date', 'Clinical notes', 'long-text', null],
    ['witnesses (number of) and date', 'Witnesses', 'number', null],
    ['consent and date', 'Consent given', 'yes-no', null],
  ])('of “%s”, %s is a %s in %s', (list, label, type, unit) => {
    const field = readObjective(`Design a form with ${list}`).fields.find((one) => one.label === label);
    expect(field).toMatchObject({ type, unit });
  });
});

describe('the buttons', () => {
  test.each<[string, string[]]>([
    ['Design a form with date and notes', ['Save']],
    ['Design a form with date and notes and a submit button', ['Submit']],
    ['Design a form with date; people can save as draft or submit', ['Save as draft', 'Submit']],
    ['Design a screen for a GP to review results', ['Approve', 'Reject']],
    ['Design a worklist of patients', []],
    ['Design a settings page', ['Save changes']],
    ['Design the details of a patient. Buttons: discharge, print', ['Discharge', 'Print']],
  ])('of “%s” are %j', (objective, expected) => {
    expect([...buttons(objective)].sort()).toEqual([...expected].sort());
  });

  test('for what can’t be undone ask first, and are never the main one', () => {
    const { actions } = readObjective('Design the details of a patient. Buttons: discharge, print');
    expect(actions).toEqual([
      { label: 'Discharge', tone: 'danger', confirms: 'The stay ends and the bed is freed.' },
      { label: 'Print', tone: 'primary', confirms: null },
    ]);
  });
});

test.each([
  ['Design a screen to record blood pressure', true],
  ['Design a screen of appointments', true],
  ['Design a settings page', false],
  ['Design a sign-in page', false],
  ['Design a list of invoices', false],
])('“%s” is about a patient: %s', (objective, patient) => {
  expect(readObjective(objective).patient).toBe(patient);
});

test('the patient stays at the top of the layout, and of the components', () => {
  const screen = readObjective('Design a screen for nurses to record pulse and temperature');
  expect(proposeLayout(screen)).toEqual({
    layout: 'one column',
    sections: [
      { name: 'Patient banner', purpose: 'Name, date of birth and NHS number, in view all the time' },
      { name: 'Fields', purpose: 'Labels above, units beside the numbers' },
      { name: 'Error summary', purpose: 'Above the fields, once something is missing' },
      { name: 'Buttons', purpose: 'The main one first' },
    ],
  });
  expect(proposeComponents(screen).map(({ name, type }) => `${name}: ${type}`)).toEqual([
    'Patient banner: Fixed at the top',
    'Pulse: Number field, in beats per minute, required',
    'Temperature: Number field, in °C, required',
    'Save: Main button',
    'Error summary: Links to each field at fault',
    'Empty state: Says that there is nothing yet, and the next step',
    'Loading state: Placeholder lines',
    'Error state: What happened, what was kept, what to do',
  ]);
});

test.each([
  ['Design a screen for nurses', true],
  ['please design a referral form', true],
  ['Dara, sketch a dashboard', true],
  ['Create a screen for booking', true],
  ['Build a dashboard of beds', true],
  ['Create a hazard log', false],
  ['How do you design a screen?', false],
  ['Don’t design a screen', false],
  ['help', false],
  ['Analyse my hazard log', false],
])('“%s” asks for a screen: %s', (text, asks) => {
  expect(asksFor(text)).toBe(asks);
});

test.each([
  ['Design a screen', false],
  ['Please design a screen for', false],
  ['design', false],
  ['Design a screen for triage', true],
  ['a referral form', true],
])('“%s” states its purpose: %s', (text, says) => {
  expect(hasObjective(text)).toBe(says);
});

test.each([
  ['a referral form with urgency', true],
  ['Design something for triage', true],
  ['Is the form done?', false],
  ['how do layouts work', false],
  ['help', false],
])('“%s”, sent to the designer, describes a screen: %s', (text, describes) => {
  expect(describesScreen(text)).toBe(describes);
});
