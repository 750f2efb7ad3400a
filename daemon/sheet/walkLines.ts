import { counted } from '../../schemas/text/phrases.ts';

type Fields = Readonly<Record<string, unknown>>;

const MOST_WARNINGS = 20;

/** A rehearsal of a template (`tpl/rehearsal@1`), a line each. */
export function walkLines(content: unknown): string[] {
  if (!isFields(content)) return [];
  const { walk, run, warnings } = content;
  const found = Array.isArray(warnings) ? warnings.filter(isFields) : [];
  return [
    ...(isFields(walk) ? [pathsLine(walk), promptsLine(walk)] : []),
    ...(isFields(run) ? [`One run with fake agents: ${String(run.sentence)}`, ...commandLines(run.commands)] : []),
    ...found.slice(0, MOST_WARNINGS).map(({ code, line, message }) => `Warning, line ${line}: ${message} [${code}]`),
  ];
}

function pathsLine({ states, steps }: Fields): string {
  return `devflow walked all paths: ${counted(Number(states), 'state')}, ${counted(Number(steps), 'step')}.`;
}

function promptsLine({ prompts, agents }: Fields): string {
  const { min, max } = isFields(prompts) ? prompts : {};
  const most = max === null || max === undefined ? 'or more, without a limit' : `to ${max}`;
  const range = min === max ? String(min) : `${min} ${most}`;
  return `A run sends ${range} prompts to ${counted(Number(agents), 'agent')}.`;
}

function commandLines(commands: unknown): string[] {
  const all = Array.isArray(commands) ? commands.filter(isFields) : [];
  return all.map(({ argv, exitCode }) => {
    const words = Array.isArray(argv) ? argv.join(' ') : '';
    return `Its command ${words} ended with ${exitCode === null ? 'a signal' : `exit ${exitCode}`}.`;
  });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
