import { describe, expect, test } from 'vitest';
import { FORBIDDEN_COMMANDS, SECRETS_NAMED } from '../../../../daemon/sessions/profiles/forbidden.ts';
import { PROFILES } from '../../../../daemon/sessions/profiles/index.ts';
import type { Profile } from '../../../../daemon/sessions/tmux/profile/profile.ts';
import { PermissionMode } from '../../../../schemas/enums.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../../schemas/names.ts';

const { claude, codex, gemini, opencode } = PROFILES;

const launch = (profile: Profile, permissionMode: PermissionMode) =>
  profile.launch({
    sessionId: 's',
    conversationId: 'c',
    resume: false,
    sessionDir: '/session',
    permissionMode,
    hookCommand: () => 'true',
    modelConfig: {},
    binaryPath: 'agent',
    args: [],
    env: { HOME: '/home/ada' },
  });

/** In words: what each program learns about the permissions of its agent. */
const SAYS: Readonly<Record<AgentProgram, Readonly<Record<PermissionMode, readonly string[]>>>> = {
  claude: {
    read: [
      ...['Read,Write,Glob,Grep,AskUserQuestion', 'Read(./**)'],
      ...['Write(./.devflow/artifacts/**)', 'Edit(./.devflow/artifacts/**)'],
    ],
    edit: ['Read,Write,Edit,Glob,Grep,AskUserQuestion', 'Read(./**)', 'Write(./**)', 'Edit(./**)'],
    execute: ['Read,Write,Edit,Glob,Grep,Bash,AskUserQuestion', 'Read(./**)', 'Write(./**)', 'Edit(./**)', 'Bash'],
  },
  codex: {
    read: [
      'permissions.devflow-s.filesystem={":root"="read","~/.ssh"="deny","~/.aws"="deny","~/.config/gcloud"="deny",' +
        '"~/.kube"="deny",":workspace_roots"={".devflow/artifacts"="write"}}',
    ],
    edit: ['workspace-write'],
    execute: ['workspace-write'],
  },
  gemini: { read: ['default'], edit: ['auto_edit'], execute: ['auto_edit', 'run_shell_command'] },
  opencode: { read: ['bash: deny'], edit: ['bash: deny', 'edit: allow'], execute: ['bash: allow', 'edit: allow'] },
};

const HEARD: Readonly<Record<AgentProgram, (mode: PermissionMode) => string[]>> = {
  claude(mode) {
    const { argv, files } = launch(claude, mode);
    const { permissions } = JSON.parse(files['claude-settings.json'] ?? '');
    return [argv[argv.indexOf('--tools') + 1] ?? '', ...permissions.allow];
  },
  codex: (mode) =>
    launch(codex, mode).argv.filter((word) => word === 'workspace-write' || word.includes('.filesystem=')),
  gemini(mode) {
    const { argv, files } = launch(gemini, mode);
    const allowed = /toolName = (.*)\ndecision = "allow"/.exec(files['gemini-policy.toml'] ?? '')?.[1] ?? '';
    return [
      argv[argv.indexOf('--approval-mode') + 1] ?? '',
      ...(allowed.includes('run_shell_command') ? ['run_shell_command'] : []),
    ];
  },
  opencode(mode) {
    const { permission } = JSON.parse(launch(opencode, mode).env.OPENCODE_CONFIG_CONTENT ?? '');
    const word = (rules: string | Record<string, string>) => (typeof rules === 'string' ? rules : rules['*']);
    return [`bash: ${word(permission.bash)}`, `edit: ${word(permission.edit)}`].filter((each) => each !== 'edit: deny');
  },
};

describe.each(AGENT_PROGRAMS)('%s', (id) => {
  test.each(PermissionMode.options)('passes the mode %s to each program', (mode) => {
    expect(HEARD[id](mode)).toEqual(SAYS[id][mode]);
  });
});

test('starts no program in a bypass mode', () => {
  const words = Object.values(PROFILES).flatMap((profile) =>
    PermissionMode.options.flatMap((mode) => launch(profile, mode).argv),
  );
  for (const bypass of [/skip-permissions/, /yolo/, /bypass/, /danger-full-access/, /^--auto$/, /full-auto/])
    expect(words.filter((word) => bypass.test(word))).toEqual([]);
});

/** As the patterns are meant. */
const fits = (command: string) => (pattern: string) => {
  const body = pattern.replace(/ \*$/, '').replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${body.replaceAll('*', '.*')}${pattern.endsWith(' *') ? '(?: .*)?' : ''}$`, 's').test(command);
};
/** What Gemini looks at: the arguments in JSON, each between NULs. */
const asPolicySees = (args: Readonly<Record<string, string>>) =>
  Object.entries(args)
    .map(([name, value]) => `\0${JSON.stringify(name)}:${JSON.stringify(value)}\0`)
    .join(',');
/** As Gemini takes them: from the start of the command on. */
const fitsPolicy = (command: string) => {
  const policy = launch(gemini, 'execute').files['gemini-policy.toml'] ?? '';
  const regexes = [...policy.matchAll(/^commandRegex = '(.*)'$/gm)].map(
    ([, regex]) => new RegExp(`"command":"${regex}`),
  );
  return regexes.some((regex) => regex.test(asPolicySees({ command, description: 'git clean -fd' })));
};

test.each([
  ...['rm -rf build', 'rm -fr build', 'rm -rfv build', 'rm -r -f build', 'rm -v -rf build', 'rm build -rf'],
  ...['git reset --hard', 'git reset HEAD~1 --hard', 'git -C .. reset --hard HEAD', 'git clean', 'git -C x clean -fd'],
  ...['git push --force', 'git push origin main --force-with-lease', 'git push -f origin', 'git push origin +main'],
  ...['git branch -D main', 'git worktree remove --force ../x', 'git worktree remove ../x -f', 'docker volume rm data'],
  ...['rm "a b" -rf', 'git -C "a b" reset --hard', 'git push "origin" --force', 'cat "a b/.env"'],
  ...['docker compose down -v', 'docker compose -f a.yml down --volumes', 'docker-compose down -v'],
  ...[
    'cat .env',
    'cat config/.env.local',
    'cat ~/.ssh/id_ed25519',
    'ls ~/.config/gcloud',
    'cp /home/ada/.kube/config .',
  ],
])('forbidden: %s', (command) => {
  expect([...FORBIDDEN_COMMANDS, ...SECRETS_NAMED].some(fits(command))).toBe(true);
  expect(fitsPolicy(command)).toBe(true);
});

test.each([
  ...['rm build/out.js', 'rm -r build', 'rm -f out.js', 'git status', 'git reset HEAD~1', 'git checkout cleaner'],
  ...['git push origin main', 'git branch -d old', 'git log --grep clean', 'git worktree list', 'docker compose down'],
  ...['npm test', 'npm ci', 'node --env-file=x a.js', 'make clean', 'cargo clean', 'echo done > out.txt'],
])('not forbidden: %s', (command) => {
  expect([...FORBIDDEN_COMMANDS, ...SECRETS_NAMED].filter(fits(command))).toEqual([]);
  expect(fitsPolicy(command)).toBe(false);
});

/** Of the rules that fit, Gemini takes the one with the highest priority. */
const policyOf = (tool: string, args: Readonly<Record<string, string>>) => {
  const rules = (launch(gemini, 'read').files['gemini-policy.toml'] ?? '').split('[[rule]]').slice(1);
  const fitting = rules.filter((rule) => {
    const pattern = /^argsPattern = '(.*)'$/m.exec(rule)?.[1];
    const isOf = /^toolName = (.*)$/m.exec(rule)?.[1] ?? '';
    return /"\*"/.test(isOf) || isOf.includes(`"${tool}"`)
      ? pattern === undefined || new RegExp(pattern).test(asPolicySees(args))
      : false;
  });
  const priority = (rule: string) => Number(/^priority = (\d+)$/m.exec(rule)?.[1]);
  return /decision = "(\w+)"/.exec(fitting.sort((a, b) => priority(b) - priority(a))[0] ?? '')?.[1];
};

test.each([
  ['.devflow/artifacts/spec/1/spec.json', 'allow'],
  ['/work/.devflow/artifacts/spec/1/spec.json', 'allow'],
  ['/we"ird/.devflow/artifacts/spec.json', 'allow'],
  ['.devflow/artifacts/../../src/a.ts', 'deny'],
  ['/work/.devflow/artifacts/../../src/a.ts', 'deny'],
  ['src/a.devflow/artifacts/a.ts', 'deny'],
  ['src/a.ts', 'deny'],
] as const)('a reader of Gemini writes %s: %s', (file_path, decision) => {
  expect(policyOf('write_file', { content: '"file_path":".devflow/artifacts/', file_path })).toBe(decision);
});

test.each([
  [{ dir_path: 'src' }, 'allow'],
  [{ include_pattern: 'src/app.environment.ts' }, 'allow'],
  [{ include_pattern: '.env' }, 'deny'],
  [{ include_pattern: '**/{.env,a}*' }, 'deny'],
  [{ dir_path: 'app/.env.local' }, 'deny'],
] as const)('a reader of Gemini searches in %j: %s', (where, decision) => {
  expect(policyOf('grep_search', { ...where, pattern: '.env' })).toBe(decision);
});

test.each([
  ['src/a.ts', 'allow'],
  ['.env', 'deny'],
  ['.envrc', 'deny'],
  ['app/.env.local', 'deny'],
  ['app/.envrc', 'deny'],
  ['app/.env.example', 'allow'],
] as const)('opencode reads %s: %s', (path, decision) => {
  const { permission } = JSON.parse(launch(opencode, 'execute').env.OPENCODE_CONFIG_CONTENT ?? '');
  const rules = Object.entries<string>(permission.read);
  // The last that fits decides.
  expect(rules.findLast(([pattern]) => fits(path)(pattern))?.[1]).toBe(decision);
});
