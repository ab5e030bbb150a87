/** Builds the worker threads into a folder. */
export function buildWorkers(outdir?: string): Promise<void>;
/** Builds the server into a folder. */
export function buildServer(outdir?: string): Promise<void>;
/** Builds the pages into dist/web. */
export function buildWeb(): Promise<void>;
/** Builds everything into dist. */
export function buildAll(): Promise<void>;
/** Builds worker threads into a folder, and again whenever one of their sources changes. */
export function watchWorkers(
  outdir: string,
  rebuilt?: () => void,
  entryPoints?: Record<string, string>,
): Promise<() => Promise<void>>;
/** Packages whose code is built in, by name. */
export const BUILT_IN: Record<string, string>;
