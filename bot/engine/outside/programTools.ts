import { z } from 'zod';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import { idParam } from '../../../models/contracts/endpoint.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { outsideAsk, outsideQuestion, waitSeconds } from '../../../models/contracts/outsideQuestions.ts';
import type { TokenScope } from '../../../models/contracts/tokenScopes.ts';
import type { TokenHolder } from '../access/accessTokens.ts';
import { readHiredAgents } from '../accounts/hiredAgents.ts';
import { registeredAgent } from '../agents/registry.ts';
import { viewForPrograms } from '../delivery/viewForPrograms.ts';
import { askPerson } from './askPerson.ts';
import { listForPrograms, requireVisible, withdrawOwn } from './readQuestions.ts';
import { waitForAnswer } from './waitForAnswer.ts';

/** A tool as a program is offered it; `run` gets parsed arguments. */
export type OfferedProgramTool = {
  name: string;
  title: string;
  description: string;
  input: z.ZodType;
  /** The shape of the result, where it is fixed. */
  output?: z.ZodType;
  /** One of these is needed. */
  scopes: readonly TokenScope[];
  effect: 'reads' | 'starts' | 'ends';
  run(input: unknown, gone: AbortSignal): Promise<Record<string, unknown>>;
};

const ownId = z.object({ id: idParam });

/** The tools for questions, which need no agent. */
function questionTools(holder: TokenHolder): OfferedProgramTool[] {
  const define = <Shape extends z.ZodType>(
    tool: Omit<OfferedProgramTool, 'input' | 'run'> & {
      input: Shape;
      run(input: z.output<Shape>, gone: AbortSignal): Promise<Record<string, unknown>>;
    },
  ): OfferedProgramTool => tool as OfferedProgramTool;
  return [
    define({
      name: 'ask_person',
      title: 'Ask a person',
      description: `Puts a question into the company’s inbox, where its owner and approvers answer it on any channel, and waits up to ${LIMITS.outside.waitSeconds} seconds for the one answer. While the status is pending, call get_question with the id. The same question with the same idempotencyKey is asked once.`,
      input: outsideAsk.extend({ wait: waitSeconds.default(LIMITS.outside.waitSeconds) }),
      output: outsideQuestion,
      scopes: ['questions:ask'],
      effect: 'starts',
      run: async (ask, gone) =>
        viewForPrograms(await waitForAnswer(holder, await askPerson(holder, ask), ask.wait, gone)),
    }),
    define({
      name: 'get_question',
      title: 'Read a question',
      description:
        'Reads a question and its answer, which never changes; with `wait`, waits so many seconds for the answer.',
      input: ownId.extend({ wait: waitSeconds.default(0) }),
      output: outsideQuestion,
      scopes: ['questions:ask', 'questions:read'],
      effect: 'reads',
      run: async ({ id, wait }, gone) =>
        viewForPrograms(await waitForAnswer(holder, await requireVisible(holder, id), wait, gone)),
    }),
    define({
      name: 'list_questions',
      title: 'List questions',
      description:
        'Lists questions, newest first: the company’s with the scope questions:read, else those of this token.',
      input: z.object({
        status: z.enum(['pending', 'answered', 'withdrawn']).optional(),
        limit: z.number().int().min(1).max(LIMITS.outside.listed).default(20),
      }),
      output: z.object({ questions: z.array(outsideQuestion) }),
      scopes: ['questions:ask', 'questions:read'],
      effect: 'reads',
      run: async (what) => ({ questions: (await listForPrograms(holder, what)).map((row) => viewForPrograms(row)) }),
    }),
    define({
      name: 'withdraw_question',
      title: 'Withdraw a question',
      description: 'Withdraws a question that this token asked. One that was answered stays answered.',
      input: ownId,
      output: outsideQuestion,
      scopes: ['questions:ask'],
      effect: 'ends',
      run: async ({ id }) => viewForPrograms(await withdrawOwn(holder, id)),
    }),
  ];
}

/** The tools of the onboarded agents, as their declarations say. */
async function agentTools({ token, who }: TokenHolder): Promise<OfferedProgramTool[]> {
  const ready = (await readHiredAgents(who.accountId)).filter(({ status }) => status === 'onboarded');
  return ready.flatMap((userAgent) =>
    (registeredAgent(userAgent.agentId).programTools ?? []).map(({ run, scope, ...tool }) => ({
      ...tool,
      description: `${findAgent(userAgent.agentId)?.displayName}: ${tool.description}`,
      scopes: [scope],
      run: (input: unknown, gone: AbortSignal) => run(input, { who, userAgent, tokenId: String(token._id), gone }),
    })),
  );
}

/** The tools that a token may use. */
export async function toolsFor(holder: TokenHolder): Promise<OfferedProgramTool[]> {
  const all = [...questionTools(holder), ...(await agentTools(holder))];
  return all.filter(({ scopes }) => scopes.some((scope) => holder.token.scopes.includes(scope)));
}
