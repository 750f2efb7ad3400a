import type { PermissionMode } from '../../../schemas/enums.ts';
import type { RightsRule } from '../../../schemas/repository/programRights.ts';
import { FORBIDDEN_COMMANDS, SECRET_FILES, SECRETS_NAMED } from './forbidden.ts';
import { toToml } from './toml.ts';

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
 * A file for Gemini's `--policy`. It denies all other tools without a question, so nothing waits for a person. Its
 * priorities are the lowest: the user's own rules override it, and so do an administrator's. The rules of the repository
 * come in their order between what the mode allows and what devflow denies.
 */
export function geminiPolicy(mode: PermissionMode, ofRepository: readonly RightsRule[] = []): string {
  const rules = [rule(['*'], 'deny', 0), rule(ALLOWED[mode], 'allow', 1)];
  // In a folder that it does not trust, Gemini would ask about every `>`.
  if (mode === 'execute') rules[1] += 'allowRedirection = true\n';
  rules.push(...ofRepository.map((each, at) => ruleOfRepository(each, 2 + at)));
  const above = 2 + ofRepository.length;
  rules.push(...secretsDenied(above));
  // Gemini splits a command line itself, also text that a shell gets as an argument.
  if (mode === 'execute')
    rules.push(...[...FORBIDDEN_COMMANDS, ...SECRETS_NAMED].map((pattern) => commandDenied(pattern, above)));
  // A reader still writes its artifact, also if the repository denies its tool.
  if (mode === 'read') rules.push(...artifactsAllowed(above));
  return rules.join('\n');
}

function ruleOfRepository({ decision, data = {} }: RightsRule, priority: number): string {
  const lines = Object.entries({ ...data, decision, priority }).map(([key, value]) => `${key} = ${toToml(value)}`);
  return ['[[rule]]', ...lines, ''].join('\n');
}

/**
 * Any text within one argument: Gemini matches the arguments as JSON, with a NUL on both sides of each. It accepts no
 * expression with a repeated group.
 */
const TEXT = String.raw`[^\x00]*`;

/** Excludes paths that leave the directory by `..`. */
const artifactsAllowed = (above: number) => [
  rule(['write_file'], 'allow', above - 1, String.raw`"file_path":"(?:${TEXT}/|)\.devflow/artifacts/`),
  rule(['write_file'], 'deny', above, String.raw`"file_path":"${TEXT}\.\./`),
];

/** Its search reads hidden files only if an argument names them. */
const secretsDenied = (above: number) =>
  SECRET_FILES.flatMap((name) => {
    const start = name.replaceAll('.', String.raw`\.`);
    const tools = ['read_file', 'write_file', 'replace'];
    return [
      ...[`"file_path":"${start}`, `"file_path":"${TEXT}/${start}`].map((pattern) =>
        rule(tools, 'deny', above, pattern),
      ),
      rule(['grep_search'], 'deny', above, String.raw`"(?:dir_path|include_pattern)":"(?:|${TEXT}\W)${start}`),
    ];
  });

/** Also behind `sudo` and the like, and with a path before the program. */
function commandDenied(pattern: string, priority: number): string {
  const words = pattern.replace(/ \*$/, '').replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const end = pattern.endsWith(' *') ? String.raw`[\s"\\]` : '';
  const regex = `(?:|[^"]*[ /])${words.replaceAll('*', TEXT)}${end}`;
  const lines = ['[[rule]]', 'toolName = "run_shell_command"', `commandRegex = '${regex}'`];
  return [...lines, 'decision = "deny"', `priority = ${priority}`, ''].join('\n');
}

function rule(tools: readonly string[], decision: 'allow' | 'deny', priority: number, argsPattern?: string): string {
  const lines = ['[[rule]]', `toolName = ${tools.length === 1 ? JSON.stringify(tools[0]) : JSON.stringify(tools)}`];
  if (argsPattern !== undefined) lines.push(`argsPattern = '${argsPattern}'`);
  return [...lines, `decision = "${decision}"`, `priority = ${priority}`, ''].join('\n');
}
