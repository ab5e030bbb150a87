export const ROOT: string;
export function builtFile(directory: string, path: string): string;
