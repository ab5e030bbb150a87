const CALL = /^\s*(?:(?:hi|hello|hey),? )?@?(?<called>\p{L}+)(?=[\s,:])[\s,:]*/iu;

/**
 * A message without the call to its agent at the beginning: "@Name draw a screen" is "draw a screen".
 * @param name the agent's name
 */
export function withoutCall(text: string, name: string): string {
  const [call = '', called = ''] = CALL.exec(text) ?? [];
  return (called.toLowerCase() === name.toLowerCase() && text.slice(call.length)) || text;
}
