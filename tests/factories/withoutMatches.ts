/** The questions but those about possible matches, which follow every answered review of the sample's proposals. */
export const withoutMatches = <Question extends { interruptType: string }>(
  questions: readonly Question[],
): Question[] => questions.filter(({ interruptType }) => interruptType !== 'match_review');
