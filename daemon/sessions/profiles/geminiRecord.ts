import type { RecordLine } from '../tmux/profile/profile.ts';
import { timeOf, valuesIn } from '../tmux/profile/words.ts';

/**
 * A line of Gemini's record of a conversation (0.61.0): its head, an update (`$set`), or a message. The answer that ends
 * a turn is a message of type `gemini` with a text and no tool calls. An answer with a text and a tool call looks the
 * same until the tool is done. Then the line comes again, with the call. So no line says whether the agent works.
 */
export function readGeminiLine(line: string): RecordLine | undefined {
  // An update may contain the whole conversation.
  if (line.startsWith('{"$')) return undefined;
  const { sessionId, projectHash, timestamp, type, content, toolCalls } = valuesIn(line);
  if (typeof sessionId === 'string' && typeof projectHash === 'string') return { conversationId: sessionId };
  const at = timeOf(timestamp);
  if (typeof type !== 'string' || Number.isNaN(at)) return undefined;
  // The program's own messages have a list of parts.
  const isAnswer = type === 'gemini' && typeof content === 'string' && content.trim() !== '' && toolCalls === undefined;
  return isAnswer ? { at, detail: 'answer', mayEndTurn: true, words: content } : { at, detail: type };
}
