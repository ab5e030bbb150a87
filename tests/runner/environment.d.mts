export function requireEnvironment(name: string): void;
