declare module 'autocannon' {
  type Result = { requests: { average: number; total: number }; non2xx: number; '3xx': number };
  /** Loads a server over this many connections for this many seconds. */
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers: Record<string, string>;
  }): Promise<Result>;
}
