import { refreshReference } from '../install/references.ts';
import type { InvokeAnswer } from '../platform/activity.ts';
import { onCardAction } from './cardActions.ts';
import { onDialogFetch, onDialogSubmit } from './dialogs.ts';
import { onFeedback } from './feedback.ts';
import { onFileConsent } from './fileConsent.ts';
import { onSearch, onSend } from './messageExtension.ts';
import { onMessage } from './messages.ts';
import { onConversationUpdate, onInstallation } from './presence.ts';
import type { Source } from './source.ts';

/** Handlers of activities without an answer, by type. */
export const EVENTS: Record<string, (source: Source) => Promise<void>> = {
  message: onMessage,
  installationUpdate: onInstallation,
  conversationUpdate: onConversationUpdate,
  messageReaction: (source) => refreshReference(source.installation, source.activity),
};

/** Handlers of invokes, by name. Each returns its answer. */
export const INVOKES: Record<string, (source: Source) => Promise<InvokeAnswer>> = {
  'adaptiveCard/action': onCardAction,
  'task/fetch': onDialogFetch,
  'task/submit': onDialogSubmit,
  'fileConsent/invoke': onFileConsent,
  'message/submitAction': onFeedback,
  'composeExtension/query': onSearch,
  'composeExtension/submitAction': onSend,
};
