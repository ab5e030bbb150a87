/** The rooms that matter, each with the files that are its own; the first room that names a file has it. */
export const ROOMS: Record<string, RegExp> = {
  policies: /^models\/policies\//,
  store: /^models\/store\/[^/]+\.ts$/,
  middleware: /^api\/middleware\//,
  conversations: /^bot\/engine\/conversations\//,
  preferences: /^bot\/engine\/preferences\//,
  turns: /^bot\/engine\/turns\//,
  workflows: /^bot\/engine\/workflows\//,
  interrupts: /^bot\/engine\/interrupts\//,
  questions: /^bot\/engine\/questions\//,
  delivery: /^bot\/engine\/delivery\//,
  billing: /^bot\/engine\/billing\//,
  automation: /^bot\/engine\/automation\//,
  accounts: /^bot\/engine\/accounts\//,
  agents: /^bot\/engine\/agents\//,
  grants: /^bot\/engine\/grants\//,
  connectors: /^bot\/engine\/connectors\//,
  documents: /^bot\/engine\/documents\//,
  calls: /^bot\/engine\/calls\//,
  files: /^bot\/engine\/files\//,
  llm: /^bot\/engine\/llm\//,
  mail: /^bot\/engine\/mail\//,
  reading: /^bot\/agents\/clinical_safety\/reading\//,
  ooxml: /^bot\/agents\/clinical_safety\/ooxml\//,
  findings: /^bot\/agents\/clinical_safety\/findings\//,
  coverage: /^bot\/agents\/clinical_safety\/tickets\/coverage\.ts$/,
  tickets: /^bot\/agents\/clinical_safety\/tickets\//,
  merge: /^bot\/agents\/clinical_safety\/merge\//,
  export: /^bot\/agents\/clinical_safety\/export\//,
  answers: /^bot\/agents\/clinical_safety\/answers\//,
  worker: /^bot\/agents\/clinical_safety\/worker\//,
  clinicalSafety: /^bot\/agents\/clinical_safety\//,
  designer: /^bot\/agents\/designer\//,
  mdr: /^bot\/agents\/mdr\//,
  arc: /^bot\/channels\/arc\//,
  slack:
    /^bot\/channels\/slack\/(inbound|outbound|address|people|signedBody|installations|install|openPlace|sayMessage)\.ts$/,
  teams:
    /^bot\/channels\/teams\/(talk\/(inbound|outbound|handOver)|identity\/(people|tab)|install\/(claims|references|installations)|platform\/(address|refusal)|listeners\/source)\.ts$/,
};

export const roomOf = (file: string): string | undefined =>
  Object.entries(ROOMS).find(([, of]) => file.endsWith('.ts') && of.test(file))?.[0];
