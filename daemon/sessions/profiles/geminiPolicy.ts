import type { PermissionMode } from '../../../schemas/enums.ts';

const READERS = [
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'write_todos',
  'update_topic',
];
const EDITORS = [...READERS, 'write_file', 'replace'];
const ALLOWED: Readonly<Record<PermissionMode, readonly string[]>> = {
  read: READERS,
  edit: EDITORS,
  execute: [...EDITORS, 'run_shell_command'],
};

/**
 * A file for Gemini's `--policy`: what is not named is denied without being asked, so that nobody is waited for. Its
 * priorities are the lowest there are: a rule of the user's own stands over it, and one of an administrator's anyway.
 */
export function geminiPolicy(mode: PermissionMode): string {
  const rules = [rule(['*'], 'deny', 0), rule(ALLOWED[mode], 'allow', 1)];
  // Who only reads still hands in an artifact.
  if (mode === 'read') rules.push(rule(['write_file'], 'allow', 1, String.raw`"file_path":"[^"]*\.devflow/artifacts/`));
  return rules.join('\n');
}

function rule(tools: readonly string[], decision: 'allow' | 'deny', priority: number, argsPattern?: string): string {
  const lines = ['[[rule]]', `toolName = ${tools.length === 1 ? JSON.stringify(tools[0]) : JSON.stringify(tools)}`];
  if (argsPattern !== undefined) lines.push(`argsPattern = '${argsPattern}'`);
  return [...lines, `decision = "${decision}"`, `priority = ${priority}`, ''].join('\n');
}
