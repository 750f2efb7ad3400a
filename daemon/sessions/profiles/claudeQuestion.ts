import type { HookEvent } from '../tmux/profile/profile.ts';

/** The tool with which Claude asks a person. */
export const QUESTION_TOOL = 'AskUserQuestion';

const ASK = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":';

/**
 * Opens Claude's question on its screen, in spite of `dontAsk`. The decision `ask` is for this one call: the mode stays.
 * 2.1.332 takes it for this tool only with the input of the call, so the hook repeats the event from that on. If the
 * output makes no sense to Claude, it denies the question as before.
 */
export const QUESTION_HOOK = {
  matcher: QUESTION_TOOL,
  hooks: [
    {
      type: 'command',
      command: `event=$(cat); printf '%s%s}' '${ASK}' "\${event#*\\"tool_input\\":}"`,
      timeout: 60,
    },
  ],
};

/** The words of a question that a hook reports; undefined if it reports another tool. */
export function questionIn({ tool_name: tool, tool_input: input }: HookEvent['data']): string | undefined {
  if (tool !== QUESTION_TOOL) return undefined;
  const { questions } = (input ?? {}) as { questions?: { question?: unknown }[] };
  return `question: ${questions?.[0]?.question ?? 'it asks something'}`;
}
