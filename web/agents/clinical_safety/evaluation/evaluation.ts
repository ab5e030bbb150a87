/** Where the page is. */
export const EVALUATION_PATH = 'evaluation';
export const EVALUATION_TITLE = 'How the clinical safety officer is measured';
