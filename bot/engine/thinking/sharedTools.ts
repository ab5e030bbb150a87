import type { Tool } from './tool.ts';

let shared: readonly Tool[] = [];

/** Registers the tools that every agent that thinks may use beside its own. Call once, before any work starts. */
export function registerSharedTools(tools: readonly Tool[]): void {
  shared = tools;
}

/** The tools that every agent that thinks may use. */
export const readSharedTools = (): readonly Tool[] => shared;
