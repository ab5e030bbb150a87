import { attachmentOf } from '../../../../models/contracts/files.ts';
import { decisionsIn } from '../../../../models/contracts/questionRows.ts';
import { dayOf } from '../../../engine/accounts/timeZone.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import type { StepResult } from '../../../engine/workflows/workflow.ts';
import { type Draft, subjectOf, type Texts } from '../drafts/composeDrafts.ts';
import { makeOptOutCheck } from '../optOuts/address.ts';
import { readOptOuts } from '../optOuts/keepOptOuts.ts';
import { NOT_SENT, summariseDecided } from './describe.ts';
import { keepFiles, noteDecided } from './keepLists.ts';
import { type OutreachContext, textsOf, writeApproved } from './readGiven.ts';
import { saveTexts } from './saveTexts.ts';
import type { OutreachState } from './state.ts';

/** The texts that a person edited; the address stays as it was. */
const editedTexts = (values: Record<string, string> | undefined): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(values ?? {}).filter(([name]) => ['subject', 'first', 'second', 'third'].includes(name)),
  );

/** Writes the drafts that were approved; nothing where none was. */
export async function writeDecided(context: OutreachContext): Promise<StepResult<OutreachState>> {
  const { run, state, answer, say } = context;
  const { userResponse, context: asked } = await answer();
  const drafts = new Map(((asked.rows ?? []) as Draft[]).map((one) => [String(one.row), one]));
  const decisions = decisionsIn(userResponse);
  // Somebody may have opted out while the review was open.
  const isOut = makeOptOutCheck(await readOptOuts(run.accountId));
  const chosen = decisions.flatMap(({ id, outcome, values }) => {
    const one = drafts.get(id);
    return one && outcome !== 'rejected' ? [{ ...one, ...editedTexts(values) }] : [];
  });
  const approved = chosen.filter(({ address }) => !isOut(address));
  const late = chosen
    .filter(({ address }) => isOut(address))
    .map(({ row }) => ({ row, reason: 'opted out during the review' }));
  const rejected = decisions
    .filter(({ outcome }) => outcome === 'rejected')
    .map(({ id }) => ({ row: Number(id), reason: 'rejected in the review' }));
  const counts = {
    ...(state.counts ?? { drafts: 0, optedOut: 0, leftOut: 0 }),
    approved: approved.length,
    rejected: rejected.length,
  };
  const told = [
    `${summariseDecided(counts)}.`,
    ...(late.length > 0
      ? [`${late.length} opted out during the review and ${late.length === 1 ? 'is' : 'are'} not in the files.`]
      : []),
    NOT_SENT,
  ].join(' ');
  if (approved.length === 0) {
    await noteDecided(run, { files: [], counts });
    await say({ key: 'decided', kind: 'text', text: told });
    return { done: { output: told } };
  }
  const written = await writeApproved(context, {
    drafts: approved,
    leftOut: [...state.leftOut, ...late, ...rejected].sort((one, other) => one.row - other.row),
    sourceName: state.list?.name ?? '',
    day: await dayOf(run.accountId, new Date(state.at ?? Date.now())),
  });
  const files = await keepFiles(run, subjectOf(textsOf(state) as Texts), written);
  await noteDecided(run, { files: files.map(({ name }) => name), counts });
  const place = await saveTexts(run, textsOf(state) as Texts, state.tool);
  const text = place ? `${told} ${place}` : told;
  const short = `${summariseDecided(counts)}. ${linkToChat()}`;
  await say({
    key: 'decided',
    kind: 'text',
    text,
    attachments: files.map(attachmentOf),
    derived: { redacted: short, reference: short },
    card: {
      headline: 'Approved drafts',
      figures: [
        { label: 'approved', value: String(counts.approved) },
        { label: 'rejected', value: String(counts.rejected) },
        { label: 'opted out', value: String(counts.optedOut + late.length) },
      ],
      actions: files.map(({ name }, at) => ({
        label: at === 0 ? 'Download the workbook' : 'Download the CSV',
        action: 'download',
        value: name,
      })),
    },
  });
  return { done: { output: text } };
}
