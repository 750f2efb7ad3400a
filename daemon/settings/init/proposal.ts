import type { RepositorySettings } from '../../../schemas/repository/settings.ts';
import { commandText } from '../../../schemas/repository/settingText.ts';

export interface Proposed {
  settings: RepositorySettings;
  /** The reason for a guess, by the first key: `verify`, `worktree`. */
  why: Readonly<Record<string, string | undefined>>;
  /** Installed directories of the checkout that can be cloned. */
  clone: readonly string[];
  /** Ignored files of the checkout that tests may need. */
  copy: readonly string[];
}

const HEAD = `# How devflow runs begin in this repository. Commit it to make it hold: devflow reads it from the base commit.
# devflow repository check finds faults, devflow repository show says what holds.
`;

const PORTS = `  # Variables that get a free port, another one in each worktree.
  # ports: [PORT]
`;
const ENV = `  # Variables for agents and commands. $NAME stands for a port or a name of the worktree.
  # env: { NODE_ENV: test }
`;
const TEARDOWN = `  # Commands before the worktree is removed.
  # teardown: [docker compose -p $DEVFLOW_RUN-$DEVFLOW_LANE down]
`;

/** A commented devflow.yaml that says what devflow guesses. Pure. */
export function proposalOf({ settings, why, clone, copy }: Proposed): string {
  const { template, verify = [], worktree = {} } = settings;
  const { setup = [], again = [], env = {} } = worktree;
  const parts = [
    HEAD,
    ...(template === undefined
      ? []
      : [`# The template of devflow run start without --template.\ntemplate: ${scalar(template)}\n`]),
    part(`# Checks of the work${because(why.verify)}.`, 'verify', commands(verify), '# verify: [npm test]', ''),
    'worktree:',
    part(`# Commands in each new worktree${because(why.worktree)}.`, 'setup', commands(setup), '# setup: [npm ci]'),
    part('# It is set up again when one of these changes.', 'again', again.map(scalar), '# again: [package-lock.json]'),
    part(
      '# Large ignored directories of your checkout, copied where the disk can share them.',
      'clone',
      clone.map(scalar),
      '# clone: [node_modules]',
    ),
    part(
      '# Ignored files of your checkout that a run needs.',
      'copy',
      [],
      `# copy: [${copy.length > 0 ? copy.map(scalar).join(', ') : '.env.local'}]`,
    ),
    PORTS,
    Object.keys(env).length === 0 ? ENV : envPart(env),
    TEARDOWN,
  ];
  return parts.join('\n');
}

function because(why: string | undefined): string {
  return why === undefined ? '' : `, guessed from ${why}`;
}

function envPart(env: Readonly<Record<string, string>>): string {
  const lines = Object.entries(env).map(([name, value]) => `    ${name}: ${scalar(value)}\n`);
  return `  # Variables for agents and commands.\n  env:\n${lines.join('')}`;
}

/** A list with its comment; without entries an example that says nothing. */
function part(comment: string, key: string, entries: readonly string[], example: string, indent = '  '): string {
  const lines = entries.length === 0 ? [example] : [`${key}:`, ...entries.map((entry) => `  - ${entry}`)];
  return `${[comment, ...lines].map((line) => indent + line).join('\n')}\n`;
}

function commands(all: readonly string[][]): string[] {
  return all.map((argv) => scalar(commandText(argv)));
}

/** A text that YAML reads as this text. JSON is YAML. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z.][\w./@=+ -]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|\.inf|\.nan)$/i.test(text);
  return isPlain && !text.endsWith(' ') && !/^\.?\d/.test(text) ? text : JSON.stringify(text);
}
