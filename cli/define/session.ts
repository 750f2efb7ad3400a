import type { Command } from 'commander';
import { SESSION_STATES } from '../../schemas/states/session.ts';
import { type Cli, dataLeaf, group } from './leaf.ts';
import { stateFlag } from './stateFlag.ts';

export function defineSession(program: Command, cli: Cli): void {
  group(program, cli, 'session', 'look at agents in their panes', (session) => defineSessionCommands(session, cli));
  dataLeaf(
    program,
    cli,
    'why <session>',
    'which signals led to the state a session shows',
    () => import('../commands/why.ts'),
  );
}

/** `devflow attach [<run>[/<role>] | <session>]`. */
export function defineAttach(program: Command, cli: Cli): void {
  dataLeaf(
    program,
    cli,
    'attach [target]',
    "go to an agent's pane: a run, run/role or session; without one, to whoever needs you most",
    () => import('../commands/attach.ts'),
  )
    .option('--read-only', 'look, without typing')
    .option('--next', 'the next agent that needs you, after the one that the terminal shows')
    .option('--client <name>', 'the tmux client to show it on, as a key binding knows it: #{client_name}');
}

function defineSessionCommands(session: Command, cli: Cli): void {
  dataLeaf(
    session,
    cli,
    'list',
    'list agent sessions, those of the newest run first',
    () => import('../commands/session.list.ts'),
  )
    .option('--run <run>', 'only sessions of this run')
    .addOption(stateFlag(SESSION_STATES, 'only sessions in this state'))
    .option('--all', 'all sessions, without a limit')
    .option('--limit <n>', 'show the newest <n> and all of open runs (default: 100; 0: all)');
  dataLeaf(session, cli, 'show <session>', 'show a session', () => import('../commands/session.show.ts'));
  dataLeaf(
    session,
    cli,
    'transcript <session>',
    'print what a pane showed',
    () => import('../commands/session.transcript.ts'),
  )
    .option('--follow', 'go on with what comes')
    .option('--raw', 'with escape sequences, as the agent wrote them');
  dataLeaf(session, cli, 'probe <session>', 'look at a pane now', () => import('../commands/session.probe.ts'));
}
