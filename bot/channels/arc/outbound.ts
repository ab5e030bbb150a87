import type { Channel } from '../../engine/delivery/channel.ts';
import { say, viewMessage } from '../../engine/delivery/say.ts';
import type { QuestionAnnouncer } from './questions.ts';
import { type ArcServer, accountRoom, conversationRoom } from './rooms.ts';

/** The channel port for browsers, over socket.io. A browser that misses a message reads it from the history. */
export function makeArcChannel(io: ArcServer, announceQuestion: QuestionAnnouncer['announce']): Channel {
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
        announceQuestion(delivery.accountId, question.id, question);
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
    // Pages draw the stored question, so a redraw only has to make them fetch it again.
    async redraw(_question, delivery) {
      io.to(accountRoom(delivery.accountId)).emit('changed', ['interrupts', 'chat']);
    },
  };
}
