import { relative } from 'node:path';
import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { readInside } from '../../../schemas/files/insideRoot.ts';
import { checksOf, type Fact, type RepoFacts } from '../../../schemas/repoFacts.ts';

const LARGEST_BYTES = 4 * 1024 * 1024;

/** The fake agent's artifacts on the way to a template. */
export function templateWork(envelope: PromptEnvelope, attempt: number, cwd: string): string | undefined {
  return intentFor(envelope, cwd) ?? draftFor(envelope, attempt, cwd);
}

/**
 * The template that the fake agent drafts from the facts that its prompt names. `Draft: uncited, right` in the
 * requirements names one for each attempt. The last one is for all that follow. Without such a line the draft is right.
 * Without a check of the repository it has no commands: the person gives them at the start of a run.
 */
function draftFor({ expectedSchema, instructions }: PromptEnvelope, attempt: number, cwd: string): string | undefined {
  if (!expectedSchema.startsWith('tpl/draft@')) return undefined;
  const [, list] = /^[ \t]*Draft:[ \t]*([a-z]+(?:[ \t]*,[ \t]*[a-z]+)*)[ \t]*\r?$/m.exec(instructions) ?? [];
  const names = list?.split(',').map((name) => name.trim()) ?? ['right'];
  const name = names[Math.min(attempt, names.length) - 1] ?? 'right';
  const [check] = checksOf(factsIn(instructions, cwd));
  const argv = check?.argv ?? (name === 'right' ? undefined : ['true']);
  const cites = check && name !== 'uncited' ? [{ argv: check.argv, fact: check.id }] : [];
  return JSON.stringify({ yaml: yamlFor(argv, name), cites, artifacts: [] });
}

function intentFor({ expectedSchema, instructions }: PromptEnvelope, cwd: string): string | undefined {
  if (!expectedSchema.startsWith('tpl/intent@')) return undefined;
  const checks = checksOf(factsIn(instructions, cwd)).map(({ id }: Fact) => ({ fact: id, verifies: 'What it tests.' }));
  return JSON.stringify({
    goal: 'Makes one change and checks it with the commands of the repository.',
    phases: [
      { title: 'Make the change', purpose: 'Changes the code as asked.', by: 'agent' },
      { title: 'Check the change', purpose: 'Runs the checks of the repository.', by: 'command' },
    ],
    gates: [{ after: 'Check the change', decides: 'Whether the change is accepted.' }],
    risk: 'medium',
    checks,
    notAsked: [],
  });
}

function factsIn(instructions: string, cwd: string): RepoFacts {
  const [path = ''] = /\S+repo-facts\.json/.exec(instructions) ?? [];
  const read = readInside(cwd, relative(cwd, path), LARGEST_BYTES);
  const none: RepoFacts = {
    facts: [],
    knownRed: [],
    languages: [],
    workspaces: [],
    uncovered: [],
    base: { commit: '' },
  };
  return read.ok ? (JSON.parse(read.bytes.toString('utf8')) as RepoFacts) : none;
}

function yamlFor(argv: readonly string[] | undefined, name: string): string {
  const command = argv ? `\n      - { kind: test, argv: ${JSON.stringify(argv)} }` : ' []';
  const push = name === 'hostile' ? '\n      - { kind: other, argv: [git, push, --force] }' : '';
  const gates = name === 'hostile' ? '' : '\n    gates: [changes_approved]';
  return `name: checked-change
version: 1
roles:
  - id: implementer
    requiredCapabilities: [code_edit, command_execute]
phases:
  - key: implement
    title: Make the change
    risk: medium
    roles: [implementer]
    expectedArtifact: { path: implementation.json, schema: dev/implementation@1 }
    instructions: |
      Make this change in the repository at {{worktree}}:
      {{requirements}}

      Write the artifact when everything is done.

      Changes that were requested after an earlier attempt:
      {{change_request}}
  - key: verify
    title: Check the change
    kind: command
    risk: low
    commands:${command}${push}${gates}
`;
}
