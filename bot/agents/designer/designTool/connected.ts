import { AppError } from '../../../../models/contracts/errors.ts';
import type { DesignFile, ScopeValues } from '../../../engine/connectors/connector.ts';
import { type ConnectedTool, findTool } from '../../../engine/connectors/toolOf.ts';
import { chooseFrame, describeFrames, requestFrom } from './frames.ts';

/** The designer's tool that has to be on for its work in design files. */
export const DESIGN_TOOL = 'figma';
/** Files that a reply describes. */
const MAX_DESCRIBED = 3;

type DesignTool = ConnectedTool<'design'> & { values: ScopeValues };

/** The refusal where nothing is connected: what did not happen, and what to do instead. */
const notConnected = (what: string): AppError =>
  new AppError('not_configured', {
    text: `Figma is not connected, so ${what}, and it cost no credits. Run the workflow instead: it gives a clickable prototype, and frames as SVG that Figma can import. The owner can connect Figma under Integrations; then I read frames from it and leave links to prototypes in it.`,
  });

/**
 * The account's connected design tool, of which something was chosen.
 * @param what what did not happen without it: "nothing was created"
 * @throws AppError not_configured
 */
export async function requireDesignTool(accountId: number, what: string): Promise<DesignTool> {
  const tool = await findTool(accountId, 'design');
  if (!tool) throw notConnected(what);
  const { values } = tool;
  if (!values)
    throw new AppError('not_configured', {
      text: `${tool.name} is connected, but no file is chosen, so ${what}. The owner can choose one under Integrations.`,
    });
  return { ...tool, values };
}

/** The files that were chosen. @throws AppError as the connection does */
export const listChosenFiles = (accountId: number, { source, values, connection }: DesignTool): Promise<DesignFile[]> =>
  connection.use(accountId, (access) => source.listFiles(access, values));

/**
 * A request for a screen from a frame of a file.
 * @throws AppError not_configured; not_available for a file that was not chosen, or without frames
 */
export async function readRequest(accountId: number, address: string, title: string): Promise<string> {
  const tool = await requireDesignTool(accountId, 'nothing was generated');
  const key = tool.source.fileKeyOf(address);
  const files = await listChosenFiles(accountId, tool);
  const file = files.find((one) => one.key === key);
  if (!file)
    throw new AppError('not_available', {
      text: `This is not the address of a file that Arc may read in ${tool.name}. The owner chooses under Integrations what is read. Nothing was generated.`,
    });
  const frames = await tool.connection.use(accountId, (access) => tool.source.readFrames(access, file.key));
  const frame = chooseFrame(frames, address);
  if (!frame) throw new AppError('not_available', { text: `“${file.name}” has no frames. Nothing was generated.` });
  return requestFrom(frame, title);
}

/** What the chosen files show, as text. @throws AppError as {@link requireDesignTool} */
export async function describeFiles(accountId: number): Promise<string> {
  const tool = await requireDesignTool(accountId, 'nothing was read');
  const files = await listChosenFiles(accountId, tool);
  if (files.length === 0) return `There is no file in what was chosen to be read from ${tool.name}.`;
  const described: string[] = [];
  for (const file of files.slice(0, MAX_DESCRIBED)) {
    const frames = await tool.connection.use(accountId, (access) => tool.source.readFrames(access, file.key));
    described.push(describeFrames(file.name, frames));
  }
  const others = files.slice(MAX_DESCRIBED).map(({ name }) => name);
  return [...described, ...(others.length > 0 ? [`Other files: ${others.join(', ')}.`] : [])].join('\n');
}
