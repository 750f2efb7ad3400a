import type { Command } from 'commander';
import { GATE_STATES } from '../../schemas/states/gate.ts';
import { type Cli, group, type Leaves } from './leaf.ts';
import { listOptions } from './listOptions.ts';

const DECISIONS = {
  approve: 'pass the gate',
  reject: 'end the run as failed',
  'request-changes': 'send the work back with a comment',
  abort: 'abort the run at this gate',
};

export function defineApproval(program: Command, cli: Cli): void {
  group(program, cli, 'approval', 'look at gates and decide them', fillApproval);
}

function fillApproval({ dataLeaf }: Leaves): void {
  const list = dataLeaf(
    'list',
    'list the gates that wait for a decision, newest first',
    () => import('../commands/approval.list.ts'),
  );
  listOptions(list.option('--run <run>', 'only gates of this run'), {
    states: GATE_STATES,
    of: 'gates',
    all: 'also show decided gates, without a limit',
    always: 'all that are open',
  });
  dataLeaf(
    'show <approval>',
    'show a gate and what it asks you to decide',
    () => import('../commands/approval.show.ts'),
  );
  for (const [name, summary] of Object.entries(DECISIONS)) {
    const comment = name === 'request-changes' ? 'what should change (required)' : 'comment on the decision';
    const decision = dataLeaf(`${name} <approval>`, summary, () => import('../commands/approval.decide.ts'))
      .option('--comment <text>', comment)
      .option('--client-token <uuid>', 'makes a retry safe: a second call with this token changes nothing');
    if (name === 'reject' || name === 'abort') decision.option('-y, --yes', 'do not ask for confirmation');
  }
}
