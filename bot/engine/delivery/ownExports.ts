/** By agent id. */
const patterns = new Map<string, (name: string) => boolean>();

/** Registers how an agent names its exports. */
export function registerExports(agentId: string, isExport: (name: string) => boolean): void {
  patterns.set(agentId, isExport);
}

/** Whether Arc generated this file name; such names contain no customer content. */
export const isOwnExport = (name: string): boolean => [...patterns.values()].some((isExport) => isExport(name));
