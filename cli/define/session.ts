import type { Command } from 'commander';
import { SESSION_STATES } from '../../schemas/states/session.ts';
import { type Cli, group, type Leaves, leavesOf } from './leaf.ts';
import { listOptions } from './listOptions.ts';

export function defineSession(program: Command, cli: Cli): void {
  group(program, cli, 'session', 'look at agents in their panes', fillSession);
  const { dataLeaf } = leavesOf(program, cli);
  dataLeaf('why <session>', 'show which signals led to the state of a session', () => import('../commands/why.ts'));
  dataLeaf(
    'attach [target]',
    "go to an agent's pane: a run, run/role, run/role@lane or session (default: the agent that needs you most)",
    () => import('../commands/attach.ts'),
  )
    .option('--read-only', 'look, without typing')
    .option('--next', 'the next agent that needs you, after the one that the terminal shows')
    .option('--client <name>', 'tmux client to show it on; in a key binding: #{client_name}');
}

function fillSession({ dataLeaf }: Leaves): void {
  const list = dataLeaf(
    'list',
    'list agent sessions, those of the newest run first',
    () => import('../commands/session.list.ts'),
  );
  listOptions(list.option('--run <run>', 'only sessions of this run'), {
    states: SESSION_STATES,
    of: 'sessions',
    all: 'all sessions, without a limit',
    always: 'all of open runs',
  });
  dataLeaf('show <session>', 'show a session', () => import('../commands/session.show.ts'));
  dataLeaf('transcript <session>', 'print what a pane showed', () => import('../commands/session.transcript.ts'))
    .option('--follow', 'print new output as it comes')
    .option('--raw', "keep the agent's escape sequences");
  dataLeaf('probe <session>', 'check a pane now', () => import('../commands/session.probe.ts'));
}
