import type { HookEvent } from '../tmux/profile/profile.ts';
import { textOr } from '../tmux/profile/words.ts';

/** The tool with which Claude asks a person. */
export const QUESTION_TOOL = 'AskUserQuestion';

const ANSWER = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":';

/**
 * Shows Claude's question despite `dontAsk`. The decision `ask` is for this one call: the mode stays. 2.1.332 also
 * needs the input of the call. So the hook copies the event from there on; text after the input does no harm. If Claude
 * cannot read the output, it denies the question.
 */
export const QUESTION_HOOK = {
  matcher: QUESTION_TOOL,
  hooks: [
    {
      type: 'command',
      command: `event=$(cat); printf '%s%s}' '${ANSWER}' "\${event#*\\"tool_input\\":}"`,
      timeout: 60,
    },
  ],
};

/** The words of a question that a hook reports; undefined if it reports another tool. */
export function questionIn({ tool_name: tool, tool_input: input }: HookEvent['data']): string | undefined {
  if (tool !== QUESTION_TOOL) return undefined;
  const { questions } = (input ?? {}) as { questions?: { question?: unknown }[] };
  return `question: ${textOr(questions?.[0]?.question, 'it asks something')}`;
}
