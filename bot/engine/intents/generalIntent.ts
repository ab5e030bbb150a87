/** The intents that every agent handles. */
export type GeneralIntent =
  | 'small-talk'
  | 'identity'
  | 'help'
  | 'status'
  | 'undo'
  | 'cancel'
  | 'files'
  | 'export'
  | 'access'
  | 'goal'
  | 'other-agent';
