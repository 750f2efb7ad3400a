import type { Command } from 'commander';
import { GATE_STATES } from '../../schemas/states/gate.ts';
import { type Cli, dataLeaf, group } from './leaf.ts';
import { stateFlag } from './stateFlag.ts';

const DECISIONS = {
  approve: 'pass the gate',
  reject: 'end the run as failed',
  'request-changes': 'send the work back with a comment',
  abort: 'abort the run at this gate',
};

export function defineApproval(program: Command, cli: Cli): void {
  group(program, cli, 'approval', 'look at gates and decide them', (approval) => defineApprovalCommands(approval, cli));
}

function defineApprovalCommands(approval: Command, cli: Cli): void {
  dataLeaf(
    approval,
    cli,
    'list',
    'list the gates that wait for a decision, newest first',
    () => import('../commands/approval.list.ts'),
  )
    .option('--run <run>', 'only gates of this run')
    .addOption(stateFlag(GATE_STATES, 'only gates in this state'))
    .option('--all', 'also show decided gates, without a limit')
    .option('--limit <n>', 'show the newest <n> and all that are open (default: 100; 0: all)');
  dataLeaf(
    approval,
    cli,
    'show <approval>',
    'show what is under decision',
    () => import('../commands/approval.show.ts'),
  );
  for (const [name, summary] of Object.entries(DECISIONS)) {
    const comment = name === 'request-changes' ? 'what should change (required)' : 'words that go with the decision';
    const decision = dataLeaf(
      approval,
      cli,
      `${name} <approval>`,
      summary,
      () => import('../commands/approval.decide.ts'),
    )
      .option('--comment <text>', comment)
      .option('--client-token <uuid>', 'the same token again is the same decision');
    if (name === 'reject' || name === 'abort') decision.option('-y, --yes', 'do not ask on a terminal');
  }
}
