import type { Channel } from '../../engine/delivery/channel.ts';
import { say, viewMessage } from '../../engine/delivery/say.ts';
import type { QuestionTeller } from './questions.ts';
import { type ArcServer, accountRoom, conversationRoom } from './rooms.ts';

/** The arc channel's side of the port: browsers, reached through socket.io. What they miss they read in the history. */
export function makeArcChannel(io: ArcServer, tellQuestion: QuestionTeller['tell']): Channel {
  return {
    name: 'arc',
    remote: false,
    surfaces: ['inbox', 'arc-chat'],
    async say(conversation, message) {
      io.to(conversationRoom(conversation.accountId, conversation.address.conversation)).emit(
        'message',
        viewMessage(message),
      );
      return null;
    },
    progress(conversation, progress) {
      io.to(conversationRoom(conversation.accountId, conversation.address.conversation)).emit('progress', progress);
    },
    async ask(question, delivery, conversation) {
      if (delivery.surface === 'inbox') {
        tellQuestion(delivery.accountId, question.id, question);
        return null;
      }
      if (!conversation) return null;
      const rows = question.view.actions.find(({ opens }) => opens === 'rows');
      const message = await say(conversation, {
        key: `interrupt:${question.id}`,
        kind: rows ? 'review-requested' : 'question-asked',
        text: question.prompt,
        agent: { agentId: question.agentId, displayName: question.agentName },
        card: {
          interruptId: question.id,
          ...(rows ? { actions: [{ label: rows.label, action: 'open-review', value: String(question.id) }] } : {}),
        },
      });
      return { messageId: String(message._id) };
    },
    // The question's own record is what every page draws; a revalidation is all that a redraw takes.
    async redraw(_question, delivery) {
      io.to(accountRoom(delivery.accountId)).emit('changed', ['interrupts', 'chat']);
    },
  };
}
