/** Does something once, after the process's last test file. */
export function atEnd(end: () => Promise<void>): void;
/** Does something after each test file of the process. */
export function afterEveryFile(restore: () => unknown): void;
