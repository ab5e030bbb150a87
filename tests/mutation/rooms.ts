/** The rooms that matter, each with the files that are its own; the first room that names a file has it. */
export const ROOMS: Record<string, RegExp> = {
  policies: /^models\/policies\//,
  store: /^models\/store\/[^/]+\.ts$/,
  middleware: /^api\/middleware\//,
  turns: /^bot\/engine\/turns\//,
  workflows: /^bot\/engine\/workflows\//,
  interrupts: /^bot\/engine\/interrupts\//,
  questions: /^bot\/engine\/questions\//,
  delivery: /^bot\/engine\/delivery\//,
  billing: /^bot\/engine\/billing\//,
  automation: /^bot\/engine\/automation\//,
  accounts: /^bot\/engine\/accounts\//,
  agents: /^bot\/engine\/agents\//,
  connectors: /^bot\/engine\/connectors\//,
  documents: /^bot\/engine\/documents\//,
  llm: /^bot\/engine\/llm\//,
  mail: /^bot\/engine\/mail\//,
  reading: /^bot\/engine\/hazards\/reading\//,
  ooxml: /^bot\/engine\/hazards\/ooxml\//,
  findings: /^bot\/engine\/hazards\/findings\//,
  coverage: /^bot\/engine\/hazards\/tickets\/coverage\.ts$/,
  tickets: /^bot\/engine\/hazards\/tickets\//,
  merge: /^bot\/engine\/hazards\/merge\//,
  export: /^bot\/engine\/hazards\/export\//,
  answers: /^bot\/engine\/hazards\/(answers\/|answer\.ts|describe\.ts)/,
  hazards: /^bot\/engine\/hazards\/[^/]+\.ts$/,
  arc: /^bot\/channels\/arc\//,
  slack:
    /^bot\/channels\/slack\/(inbound|outbound|address|people|signedBody|installations|install|openPlace|sayMessage)\.ts$/,
  teams:
    /^bot\/channels\/teams\/(inbound|outbound|address|people|claims|references|installations|tab|refusal|handOver|listeners\/source)\.ts$/,
};

export const roomOf = (file: string): string | undefined =>
  Object.entries(ROOMS).find(([, of]) => file.endsWith('.ts') && of.test(file))?.[0];
