import ExcelJS from 'exceljs';
import { writeFileSync } from 'node:fs';
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
const D = '/tmp/logs/';
const save = async (name: string, build: (w: ExcelJS.Workbook) => void) => { const w = new ExcelJS.Workbook(); build(w); await w.xlsx.writeFile(D + name); };
// 1 ISO 14971 with two header rows, P1/P2, evaluation words
await save('01-iso14971.xlsx', (w) => {
  const c = w.addWorksheet('Cover'); c.addRows([['Risk Management File'], ['Product', 'CardioTrend AF screening app'], ['Document', 'RMF-0032 rev D'], ['Released', new Date('2025-11-02')]]);
  const s = w.addWorksheet('Risk table');
  s.addRow(['RMF-0032 rev D – Risk analysis and evaluation']); s.mergeCells('A1:S1');
  s.addRow(['Ref', 'Hazard', 'Foreseeable sequence of events', 'Hazardous situation', 'Harm', 'Risk estimation (before)', '', '', '', 'Risk control measures', '', '', 'Risk estimation (after)', '', '', '', 'Benefit-risk needed?', 'New risks?', 'Verification']);
  s.addRow(['', '', '', '', '', 'S', 'P1', 'P2', 'Risk', 'Inherent safety by design', 'Protective measures', 'Information for safety', 'S', 'P1', 'P2', 'Risk', '', '', '']);
  for (const r of ['A', 'B', 'C', 'D', 'E', 'Q', 'R', 'S']) s.mergeCells(`${r}2:${r}3`);
  s.mergeCells('F2:I2'); s.mergeCells('J2:L2'); s.mergeCells('M2:P2');
  s.addRow(['R-01', 'Incorrect output', 'Poor electrode contact → noisy signal → algorithm reports sinus rhythm', 'AF not detected in patient at risk of stroke', 'Stroke', 5, 3, 3, 'Not acceptable', 'Signal quality index blocks classification', 'Repeat prompt after noisy strip', 'IFU 4.2', 5, 2, 2, 'Acceptable', 'Yes', 'No', 'VER-114, VER-115']);
  s.addRow(['R-02', 'Incorrect output', 'Ectopic beats misread as AF', 'Patient anxious; unnecessary anticoagulation considered', 'Bleeding', 4, 3, 2, 'ALARP', 'Ectopy classifier', '', 'Report says "screening only"', 4, 2, 2, 'Acceptable', 'No', 'No', 'VER-120']);
  s.addRow(['R-03', 'Delay of output', 'Upload queue stalls on weak network', 'Cardiologist sees strip after two days', 'Delayed treatment', 4, 3, 3, 'Not acceptable', 'Retry with back-off', 'Alert after 4 h without upload', '', 4, 2, 2, 'Acceptable', 'No', 'No', 'VER-131']);
  s.addRow(['R-04', 'Loss of data', 'App re-installed before sync', 'Strips of a symptomatic episode lost', 'Delayed diagnosis', 3, 3, 2, 'ALARP', 'Sync before logout', '', '', 3, 1, 2, 'Acceptable', 'No', 'No', '']);
  const k = w.addWorksheet('Scales'); k.addRows([['S', 'Severity'], [1, 'Negligible'], [2, 'Minor'], [3, 'Serious'], [4, 'Critical'], [5, 'Catastrophic'], [], ['P1', 'Probability of the hazardous situation'], [1, 'Remote'], [2, 'Occasional'], [3, 'Probable'], [], ['P2', 'Probability of harm'], [1, 'Unlikely'], [2, 'Possible'], [3, 'Likely']]);
});
// 2 NHS-like with merged cells over several rows, section rows
await save('02-sections.xlsx', (w) => {
  const s = w.addWorksheet('Hazard Log'); s.getCell('B1').value = 'Clinical Hazard Log – Ward eObs v3.2'; s.getCell('B2').value = 'Owner: Clinical Safety'; 
  s.getRow(4).values = ['', 'Haz No.', 'Hazard', 'Potential Clinical Impact', 'Possible Causes', 'Existing Controls', 'Initial Sev', 'Initial Lik', 'Initial Risk', 'Additional Controls', 'Control Type', 'Residual Sev', 'Residual Lik', 'Residual Risk', 'Status', 'Owner'];
  const rows: (string | number)[][] = [
    ['', 'SECTION A – OBSERVATIONS'],
    ['', 1, 'Early warning score wrong', 'Deterioration missed', 'Wrong scale chosen (SpO2 scale 2)', 'Training', 'Major', 'Medium', 3, 'Scale shown beside the score', 'Design', 'Major', 'Low', 2, 'Open', 'CSO'],
    ['', '', '', '', 'Missing parameter counted as normal', '', '', '', '', 'Score blocked until complete', 'Design', '', '', '', '', ''],
    ['', '', '', '', 'Rounding of temperature', '', '', '', '', 'Unit tests UT-44', 'Test', '', '', '', '', ''],
    ['', 2, 'Observations recorded against wrong patient', 'Wrong treatment', 'Wristband not scanned', 'Policy', 'Catastrophic', 'Low', 4, 'Scan enforced', 'Design', 'Catastrophic', 'Very low', 3, 'Open', 'CSO'],
    ['', 'SECTION B – ALERTS'],
    ['', 3, 'Escalation alert not delivered', 'Delay', 'Wi-Fi black spot', 'Bleep', 'Major', 'High', 4, 'Retry and acknowledge', 'Design', 'Major', 'Low', 2, 'Closed', 'IT'],
    ['', '', '', '', 'Alert sent to staff off duty', '', '', '', '', 'Rota integration', 'Design', '', '', '', '', ''],
    ['', 4, 'Alert fatigue', 'Alert ignored', 'Thresholds too low', '', 'Considerable', 'High', 3, 'Thresholds per ward', 'Config', 'Considerable', 'Medium', 2, 'Open', 'Nursing'],
  ];
  rows.forEach((r, i) => { s.getRow(5 + i).values = r as never; });
  s.mergeCells('B5:P5'); s.mergeCells('B10:P10');
  for (const c of ['B', 'C', 'D', 'G', 'H', 'I', 'L', 'M', 'N', 'O', 'P']) { s.mergeCells(`${c}6:${c}8`); s.mergeCells(`${c}11:${c}12`); }
  s.getCell('B15').value = 'Total hazards: 4'; s.getCell('B16').value = 'Reviewed at CSG 12/03/2026. Next review Sept 2026.';
});
// 3 FMEA
await save('03-fmea.xlsx', (w) => {
  const s = w.addWorksheet('pFMEA dispensing'); s.addRow(['Process FMEA', '', 'Team: Pharmacy, IT']); s.addRow([]);
  s.addRow(['#', 'Process step / function', 'Potential failure mode', 'Potential effect(s) of failure', 'SEV', 'Potential cause(s)', 'OCC', 'Current controls (prevention)', 'Current controls (detection)', 'DET', 'RPN', 'Recommended action', 'Responsible', 'Target date', 'Actions taken', 'SEV', 'OCC', 'DET', 'RPN']);
  s.addRow([10, 'Label printing', 'Label printed for previous item', 'Patient takes wrong medicine', 9, 'Print queue not cleared', 4, 'Queue cleared at login', 'Barcode check', 3, 108, 'Clear queue per item', 'A. Pharm', '2026-02-01', 'Released 2.4', 9, 2, 3, 54]);
  s.addRow([20, 'Dose check', 'Maximum dose rule not applied to liquids', 'Overdose in children', 10, 'Unit conversion missing', 3, 'Rule review', 'Second pharmacist', 4, 120, 'Convert mL to mg', 'Dev', '2026-03-01', '', 10, 2, 4, 80]);
  s.addRow([30, 'Hand-out', 'Bag given to namesake', 'Wrong medicine taken', 9, 'Only surname shown', 3, '', 'Address asked', 5, 135, 'Show date of birth', 'Dev', '2026-03-01', 'Released 2.5', 9, 2, 2, 36]);
});
// 4 Word record cards, 4 columns label/value
{
  const card = (rows: string[][]) => new Table({ rows: rows.map((r) => new TableRow({ children: r.map((t) => new TableCell({ children: t.split('\n').map((l) => new Paragraph(l)), columnSpan: r.length === 2 ? undefined : undefined })) })) });
  const doc = new Document({ sections: [{ children: [
    new Paragraph({ text: 'Hazard Register: Telemonitoring Hub', heading: HeadingLevel.TITLE }),
    new Paragraph('Each hazard stands on a card of its own. Severity and likelihood as in DCB0129.'),
    ...[['TH-1', 'Reading shown for wrong patient', 'Clinician adjusts treatment of another patient', 'Device paired twice\nPatient list sorted while scrolling', 'Name and photo on every reading', 'Major', 'Medium', '3', 'Major', 'Low', '2', 'Open'],
      ['TH-2', 'Blood pressure shown with wrong unit', 'Under- or over-treatment', 'Import from device in kPa', 'Unit shown; conversion tested (T-17)', 'Considerable', 'Low', '2', 'Considerable', 'Very low', '1', 'Closed'],
      ['TH-3', 'Alert for low saturation suppressed', 'Deterioration goes unnoticed', 'Snooze of 24 hours', '', 'Catastrophic', 'Low', '4', '', '', '', 'Open']].flatMap((h) => [
      new Paragraph({ text: `${h[0]} ${h[1]}`, heading: HeadingLevel.HEADING_2 }),
      card([['Hazard ID', h[0]!, 'Status', h[11]!], ['Hazard name', h[1]!, 'Owner', 'CSO'], ['Clinical effect', h[2]!, 'Causes', h[3]!], ['Mitigations', h[4]!, 'Evidence', ''], ['Initial severity', h[5]!, 'Initial likelihood', h[6]!], ['Initial risk', h[7]!, 'Residual severity', h[8]!], ['Residual likelihood', h[9]!, 'Residual risk', h[10]!]]),
      new Paragraph(''),
    ]),
  ] }] });
  writeFileSync(D + '04-cards.docx', await Packer.toBuffer(doc));
}
// 5 German csv semicolon
writeFileSync(D + '05-german.csv', '\uFEFFNr.;Gefährdung;Gefährdungssituation;Schaden;Ursache;Schweregrad;Eintrittswahrscheinlichkeit;Risiko;Maßnahmen;Schweregrad nach Maßnahmen;Wahrscheinlichkeit nach Maßnahmen;Restrisiko;Bemerkung\nG-01;Falsche Dosis angezeigt;Arzt übernimmt Vorschlag;Überdosierung;Einheit µg/mg vertauscht;4;3;12;Einheit wird immer angezeigt;4;1;4;\nG-02;Allergie nicht angezeigt;Verordnung trotz Allergie;Anaphylaxie;Schnittstelle liefert Freitext;5;2;10;Warnhinweis bei Freitext;5;1;5;offen\nG-03;Patient verwechselt;Befund beim falschen Patienten;Falsche Behandlung;Gleicher Nachname;4;2;8;Geburtsdatum in Kopfzeile;4;1;4;\n');
// 6 markdown
writeFileSync(D + '06-notes.md', `# Hazard log – MyMeds reminder (draft 0.4)

Scale: severity 1–4 (1 worst), likelihood A–D (A most likely).

## HZ01 – Reminder not shown
*What happens*: the patient misses a dose.
**Causes**
- Battery saver stops the app
- Time zone changed while travelling
**Controls**
- Local notifications scheduled ahead
- Warning when battery saver is on (evidence: TC-12)

Before: severity 2, likelihood B. After: severity 2, likelihood D.

## HZ02 – Reminder for stopped medicine
*What happens*: the patient takes a medicine that was stopped.
**Causes**
- GP record synchronised once a week
**Controls**
- none yet

Before: severity 1, likelihood C.

## HZ03 – Wrong strength in reminder
*What happens*: over- or underdose.
**Causes**
- Two strengths prescribed together
**Controls**
- Strength always shown with the name

Before: severity 1, likelihood C. After: severity 1, likelihood D.

## Change history
0.4 added HZ03.
`);
// 7 Confluence html
writeFileSync(D + '07-confluence.html', `<html><body><h1>Hazard log – Virtual Ward</h1><p>Exported 3 Feb 2026</p><table class="confluenceTable"><tbody><tr><th>ID</th><th>Hazard / scenario</th><th>Harm</th><th>Why could it happen</th><th>What do we do about it</th><th colspan="2">Before</th><th colspan="2">After</th><th>State</th></tr><tr><th></th><th></th><th></th><th></th><th></th><th>Sev</th><th>Lik</th><th>Sev</th><th>Lik</th><th></th></tr>
<tr><td>VW-1</td><td><p>Video call fails during review</p></td><td>Delayed escalation</td><td><ul><li>Bandwidth</li><li>Browser not supported</li></ul></td><td><ul><li>Phone fallback</li><li>Check before call</li></ul></td><td>3</td><td>4</td><td>3</td><td>2</td><td>Mitigated</td></tr>
<tr><td>VW-2</td><td>Home device sends readings of another household member</td><td>Wrong treatment</td><td>Shared device</td><td>Ask “is this you” before each reading</td><td>4</td><td>3</td><td>4</td><td>2</td><td>Open</td></tr>
<tr><td>VW-3</td><td>Discharge letter not sent to GP</td><td>Medication continued wrongly</td><td>MESH rejection unnoticed</td><td>—</td><td>3</td><td>3</td><td></td><td></td><td>Open</td></tr></tbody></table><h2>Scoring</h2><table><tr><th></th><th>1</th><th>2</th><th>3</th><th>4</th><th>5</th></tr><tr><th>5</th><td>5</td><td>10</td><td>15</td><td>20</td><td>25</td></tr><tr><th>4</th><td>4</td><td>8</td><td>12</td><td>16</td><td>20</td></tr><tr><th>3</th><td>3</td><td>6</td><td>9</td><td>12</td><td>15</td></tr><tr><th>2</th><td>2</td><td>4</td><td>6</td><td>8</td><td>10</td></tr><tr><th>1</th><td>1</td><td>2</td><td>3</td><td>4</td><td>5</td></tr></table></body></html>`);
// 8 transposed
await save('08-transposed.xlsx', (w) => {
  const s = w.addWorksheet('Hazards');
  const rows = [['Hazard reference', 'ED-001', 'ED-002', 'ED-003', 'ED-004'], ['Title', 'Triage category lost on handover', 'Duplicate patient record merged wrongly', 'Blood result attached to wrong encounter', 'Waiting time clock stops'], ['Effect on patient', 'Delay in urgent care', 'Allergies of another patient', 'Wrong decision', 'Patient waits unnoticed'], ['Cause', 'Session timeout', 'Similar demographics', 'Encounter closed early', 'Status change not saved'], ['Controls in place', 'Autosave', 'Merge needs two people', 'Result matched by order number', 'Nightly check'], ['Severity (initial)', 'Major', 'Catastrophic', 'Major', 'Considerable'], ['Likelihood (initial)', 'Medium', 'Low', 'Low', 'Medium'], ['Risk (initial)', 3, 4, 2, 2], ['Severity (residual)', 'Major', 'Catastrophic', 'Major', 'Considerable'], ['Likelihood (residual)', 'Low', 'Very low', 'Very low', 'Low'], ['Risk (residual)', 2, 3, 2, 2], ['Sign-off', 'Y', 'N', 'Y', 'Y']];
  s.addRows(rows);
});
// 9 two tables side by side + letters
await save('09-sidebyside.xlsx', (w) => {
  const s = w.addWorksheet('Log');
  const L = [['Hazard ID', 'Hazard description', 'Cause', 'Effect', 'C', 'L', 'Score', 'Mitigation', 'C2', 'L2', 'Score2', 'Status'], ['RAD-01', 'Image displayed left-right reversed', 'DICOM tag ignored', 'Wrong-side procedure', 5, 2, 10, 'Marker burned into image', 5, 1, 5, 'Closed'], ['RAD-02', 'Prior images missing', 'Archive timeout', 'Progression missed', 4, 3, 12, 'Banner "priors loading"', 4, 2, 8, 'Open'], ['RAD-03', 'Report sent to wrong referrer', 'Referrer code reused', 'Delay in treatment', 3, 3, 9, '', 3, 3, 9, 'Open']];
  L.forEach((r, i) => { s.getRow(3 + i).values = r as never; });
  const M = [['', 'C1', 'C2', 'C3', 'C4', 'C5'], ['L5', 5, 10, 15, 20, 25], ['L4', 4, 8, 12, 16, 20], ['L3', 3, 6, 9, 12, 15], ['L2', 2, 4, 6, 8, 10], ['L1', 1, 2, 3, 4, 5]];
  M.forEach((r, i) => r.forEach((v, k) => { s.getCell(3 + i, 15 + k).value = v; }));
  s.getCell('N2').value = 'Key: 1-4 low, 5-9 medium, 10-14 high, 15+ extreme';
});
// 10 words only, numbered causes in cell
await save('10-words.xlsx', (w) => {
  const s = w.addWorksheet('Register 2026');
  s.addRow(['Risk ref', 'Risk title', 'There is a risk that… (hazard)', 'Caused by', 'Resulting in', 'Inherent rating', 'Controls', 'Gaps in control', 'Current rating', 'Target rating', 'Lead', 'Review date']);
  s.addRow(['CS/14', 'Transcription of spoken notes', 'the summary states a drug that was not mentioned', '1) accents\n2) background noise\n3) model invents', 'wrong prescription', 'High', '1. Clinician reads and signs\n2. Differences highlighted', 'No measure of edits', 'Moderate', 'Low', 'CCIO', new Date('2026-06-01')]);
  s.addRow(['CS/15', 'Summary filed in wrong record', 'the summary is saved to the previously open patient', '1) window switch', 'confidentiality and wrong care', 'Extreme', '1. Patient banner', 'Banner off on small screens', 'High', 'Low', 'CCIO', new Date('2026-04-01')]);
  s.addRow(['CS/16', 'Outage', 'notes can’t be dictated', '1) cloud failure', 'delay', 'Moderate', '1. Typing', '', 'Low', 'Low', 'IT', '']);
});
// 11 French xlsx
await save('11-french.xlsx', (w) => {
  const s = w.addWorksheet('Analyse de risques');
  s.addRow(['N°', 'Danger', 'Situation dangereuse', 'Dommage', 'Causes', 'Gravité', 'Probabilité', 'Criticité', 'Mesures de maîtrise', 'Gravité résiduelle', 'Probabilité résiduelle', 'Criticité résiduelle', 'Acceptable (O/N)']);
  s.addRow(['D1', 'Mauvaise identité', 'Résultat attribué à un autre patient', 'Traitement erroné', 'Homonymes', 4, 3, 12, 'INS vérifiée', 4, 1, 4, 'O']);
  s.addRow(['D2', 'Alerte non affichée', 'Interaction médicamenteuse ignorée', 'Hémorragie', 'Base non à jour', 5, 2, 10, 'Mise à jour hebdomadaire', 5, 1, 5, 'O']);
  s.addRow(['D3', 'Perte de données', 'Antécédents absents', 'Retard', 'Sauvegarde échouée', 3, 2, 6, '', 3, 2, 6, 'N']);
});
// 12 one hazard per sheet
await save('12-sheet-per-hazard.xlsx', (w) => {
  for (const [id, name, eff, cause, ctrl, a, b, c, d] of [['H-001', 'Insulin dose rounded up', 'Hypoglycaemia', 'Display of one decimal', 'Two decimals below 1 unit', 'Catastrophic', 'Low', 'Catastrophic', 'Very low'], ['H-002', 'Bolus history not shown', 'Insulin stacking', 'Sync delay', 'Warning while syncing', 'Major', 'Medium', 'Major', 'Low']] as string[][]) {
    const s = w.addWorksheet(id!);
    s.addRows([['Hazard Assessment Form'], [], ['Hazard ID', id], ['Hazard name', name], ['Patient impact', eff], ['Possible cause', cause], ['Control', ctrl], [], ['', 'Severity', 'Likelihood', 'Risk'], ['Initial', a, b, 4], ['Residual', c, d, 3], [], ['Approved by', '']]);
  }
  w.addWorksheet('Guidance').addRows([['How to fill in the form'], ['Severity: Minor, Significant, Considerable, Major, Catastrophic']]);
});
