import type { z } from 'zod';
import type { TokenScope } from '../../../models/contracts/tokenScopes.ts';
import type { Who } from '../../../models/policies/who.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';

/** What a tool gets beside its arguments. */
type ProgramContext = {
  /** The member in whose name the program's token acts. */
  who: Who;
  /** The hired agent whose tool it is. */
  userAgent: UserAgentRow;
  /** Id of the access token: idempotency keys belong to it. */
  tokenId: string;
  /** Ends where the program has gone. */
  gone: AbortSignal;
};

/** A tool that an agent offers to programs outside Arc, which call it with an access token. */
export type ProgramTool<Input = unknown> = {
  /** Lower case with underscores, unique across agents. */
  name: string;
  /** For people: "List analyses". */
  title: string;
  /** What it does, for the program's model. */
  description: string;
  input: z.ZodType<Input>;
  scope: TokenScope;
  /** `starts`: refused while neither a trial nor a plan is active. */
  effect: 'reads' | 'starts';
  /** @throws AppError whose text the program gets */
  run(input: Input, context: ProgramContext): Promise<Record<string, unknown>>;
};

/** Declares a tool for programs; its input is parsed before it runs. */
export const defineProgramTool = <Input>(tool: ProgramTool<Input>): ProgramTool => tool as unknown as ProgramTool;
