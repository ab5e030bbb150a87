/** By whose exports they are. */
const patterns = new Map<string, (name: string) => boolean>();

/** Makes known which names an agent gives to its own exports. */
export function registerExports(agentId: string, isExport: (name: string) => boolean): void {
  patterns.set(agentId, isExport);
}

/** Whether Arc itself gave a file its name: such a name holds no word of a company. */
export const isOwnExport = (name: string): boolean => [...patterns.values()].some((isExport) => isExport(name));
