import { z } from 'zod';
import { AppError } from '../../../../models/contracts/errors.ts';
import { linkToPage } from '../../../engine/delivery/consent.ts';
import { previewUrl, readProjects } from '../../../engine/files/projects.ts';
import { readToolUseAnswer, TOOL_USE, type ToolUseContext } from '../../../engine/questions/kinds/toolUse.ts';
import {
  type Beginning,
  beginWith,
  defineWorkflow,
  type StepContext,
  type StepResult,
} from '../../../engine/workflows/workflow.ts';
import { DESIGN_TOOL, listChosenFiles, requireDesignTool } from '../designTool/connected.ts';

/** Options of one question. */
const MAX_OPTIONS = 25;
const UNDONE = 'nothing was exported';

const place = z.object({ id: z.string(), name: z.string() });
type Place = z.output<typeof place>;

const linkState = z.object({
  /** The design that is linked. */
  projectId: z.number(),
  title: z.string(),
  files: z.array(place).default([]),
  file: place.optional(),
  frames: z.array(place).default([]),
  frame: place.optional(),
});
type LinkState = z.output<typeof linkState>;
type Context = StepContext<LinkState>;
type Result = Promise<StepResult<LinkState>>;

/**
 * Leaves a comment and a developers' link to a prototype on a frame of the connected design tool, after somebody has
 * approved the exact words. Design tools let no other program draw frames.
 */
export const linkWorkflow = defineWorkflow({
  name: 'design-link',
  state: linkState,
  title: 'Link a prototype from a design file',
  first: 'files',
  reserve: 0,
  tool: DESIGN_TOOL,
  steps: {
    files: { label: 'List the design files', run: listFiles },
    fileChosen: { label: 'Read the chosen file', run: readFile },
    frames: { label: 'List the frames', run: listFrames },
    frameChosen: { label: 'Read the chosen frame', run: readFrame },
    ask: { label: 'Ask for approval', run: askApproval },
    decided: { label: 'Leave the comment and the link', run: leaveLink },
  },
});

/** A link to the latest design of a designer; null where it has made none. */
export async function beginLink(accountId: number, userAgentId: number): Promise<Beginning | null> {
  const [latest] = await readProjects(accountId, userAgentId);
  return latest
    ? beginWith(linkWorkflow, `Link “${latest.name}”`, { projectId: latest._id, title: latest.name })
    : null;
}

const optionOf = ({ name }: Place, at: number) => `${at + 1}. ${name}`;

/** A choice among places; null where there is nothing to choose. */
function chooseAmong(places: readonly Place[], prompt: string, next: string): StepResult<LinkState> {
  const options = places.map(optionOf);
  return { ask: { interruptType: 'decision', prompt, options, context: { step: next } }, next };
}

/** The place that was chosen. */
async function chosenOf({ answer }: Context, places: readonly Place[]): Promise<Place> {
  const { selectedOption } = (await answer()).userResponse as { selectedOption: string };
  const found = places.find((one, at) => optionOf(one, at) === selectedOption);
  if (!found) throw new Error('An option was chosen that was not offered.');
  return found;
}

async function listFiles({ run, state }: Context): Result {
  const tool = await requireDesignTool(run.accountId, UNDONE);
  const found = await listChosenFiles(run.accountId, tool);
  const files = found.slice(0, MAX_OPTIONS).map(({ key, name }) => ({ id: key, name }));
  const [file] = files;
  if (!file)
    throw new AppError('not_available', { text: `${tool.name} shows no file in what was chosen, so ${UNDONE}.` });
  if (files.length === 1) return { next: 'frames', state: { file } };
  const asked = chooseAmong(files, `Into which file should the link to “${state.title}” go?`, 'fileChosen');
  return { ...asked, state: { files } };
}

async function readFile(context: Context): Result {
  return { next: 'frames', state: { file: await chosenOf(context, context.state.files) } };
}

function requirePlace(found: Place | undefined): Place {
  if (!found) throw new Error('The file and the frame are chosen before.');
  return found;
}

async function listFrames({ run, state }: Context): Result {
  const file = requirePlace(state.file);
  const { source, connection } = await requireDesignTool(run.accountId, UNDONE);
  const found = await connection.use(run.accountId, (access) => source.readFrames(access, file.id));
  const frames = found.slice(0, MAX_OPTIONS).map(({ id, page, name }) => ({ id, name: `${page}: ${name}` }));
  const [frame] = frames;
  if (!frame)
    throw new AppError('not_available', { text: `“${file.name}” has no frame to put a link on, so ${UNDONE}.` });
  if (frames.length === 1) return { next: 'ask', state: { frame } };
  return { ...chooseAmong(frames, `On which frame of “${file.name}”?`, 'frameChosen'), state: { frames } };
}

async function readFrame(context: Context): Result {
  return { next: 'ask', state: { frame: await chosenOf(context, context.state.frames) } };
}

const urlOf = ({ projectId }: LinkState) => linkToPage(previewUrl({ _id: projectId }));
const commentOf = (state: LinkState) => `Prototype of “${state.title}” in Arc: ${urlOf(state)}`;
const nameOf = ({ title }: LinkState) => `Prototype in Arc: ${title}`;

async function askApproval({ run, state }: Context): Result {
  const { name } = await requireDesignTool(run.accountId, UNDONE);
  const context: ToolUseContext & { step: string } = {
    step: 'link',
    toolLabel: `Leave a comment and a link in ${name}`,
    arguments: [
      { name: 'file', label: 'File', text: requirePlace(state.file).name },
      { name: 'frame', label: 'Frame', text: requirePlace(state.frame).name },
      { name: 'comment', label: 'Comment', text: commentOf(state) },
      { name: 'name', label: 'Name of the developers’ link', text: nameOf(state) },
      { name: 'url', label: 'Where both lead', text: urlOf(state) },
    ],
  };
  const prompt = `May I leave a comment and a link to “${state.title}” in ${name}? ${name} lets no other program draw frames, so the prototype stays in Arc.`;
  return { ask: { interruptType: TOOL_USE, prompt, context }, next: 'decided' };
}

async function leaveLink({ run, state, answer, say }: Context): Result {
  const { accountId } = run;
  const end = async (output: string): Result => {
    const short = 'The export to the design file has ended.';
    await say({ key: 'ended', kind: 'text', text: output, derived: { redacted: short, reference: short } });
    return { done: { output } };
  };
  const { approved, edits } = readToolUseAnswer((await answer()).userResponse);
  if (!approved) return end('Nothing was written. Ask again for the export with other words.');
  const { comment = commentOf(state), name: linkName = nameOf(state), ...others } = edits;
  if (Object.keys(others).length > 0)
    return end('Nothing was written: only the comment and the name of the link can be changed. Ask again to choose.');
  const url = urlOf(state);
  const [file, frame] = [requirePlace(state.file), requirePlace(state.frame)];
  const { name, source, connection } = await requireDesignTool(accountId, UNDONE);
  const { isLinked } = await connection.use(accountId, (access) =>
    source.leaveLink(access, {
      ...{ fileKey: file.id, frameId: frame.id, name: linkName, url },
      // The comment is found again by the link in it.
      comment: comment.includes(url) ? comment : `${comment}\n${url}`,
    }),
  );
  return end(
    isLinked
      ? `I left a comment on “${frame.name}” in “${file.name}”, and the link among its dev resources. ${name} lets no other program draw frames: the frames as SVG are in the archive, and ${name} can import them.`
      : `I left a comment on “${frame.name}” in “${file.name}”. ${name} did not accept the link among its dev resources: that takes the right to edit the file.`,
  );
}
