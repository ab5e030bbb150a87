import type { StrangeLog } from './strangeLog.ts';

const TEXT = [
  'Risk assessment form\t\t\t\t\t',
  'Team\tRemote monitoring\t\t\t\t',
  '\t\t\t\t\t',
  'What are the hazards?\tWho might be harmed and how?\tWhat are you already doing?\tWhat further action is needed?\tAction by whom?\tDone',
  'Readings of two patients are swapped\tPatients at home: wrong advice\tDevices are bound to a name\tAsk for the date of birth\tDevices team\tno',
  '"1. Alarm is not sent\n2. Alarm is sent twice"\tPatients at home: no help, or staff ignore alarms\tA test alarm each day\tSecond way by telephone\tOn-call team\tno',
  'Battery runs out unseen\tPatients at home: readings stop\tLevel is shown\t\t\tyes',
].join('\n');

/** A form of health and safety at work: questions as headings, no ids, no ratings, two hazards numbered in one cell. */
export const workplaceForm: StrangeLog = {
  kind: 'questions as headings, no ids and no ratings, two hazards numbered in one cell',
  fileName: 'risk-assessment.txt',
  bytes: () => new TextEncoder().encode(TEXT),
  hazards: [
    {
      id: null,
      name: 'Readings of two patients are swapped',
      effect: 'Patients at home: wrong advice',
      causes: [],
      controls: ['Devices are bound to a name', 'Ask for the date of birth'],
    },
    {
      id: null,
      name: 'Alarm is not sent',
      effect: 'Patients at home: no help, or staff ignore alarms',
      causes: [],
      controls: ['A test alarm each day', 'Second way by telephone'],
    },
    {
      id: null,
      name: 'Alarm is sent twice',
      effect: 'Patients at home: no help, or staff ignore alarms',
      causes: [],
      controls: ['A test alarm each day', 'Second way by telephone'],
    },
    {
      id: null,
      name: 'Battery runs out unseen',
      effect: 'Patients at home: readings stop',
      causes: [],
      controls: ['Level is shown'],
    },
  ],
};
