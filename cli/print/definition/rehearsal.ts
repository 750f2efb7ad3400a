import type { Played, Rehearsal } from '../../../schemas/rpc/views/rehearsal.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import type { Io } from '../../io/io.ts';
import { paint, printHeading } from '../output.ts';
import { visible } from '../text.ts';

/** Prints the walk of a template. */
export function printRehearsal(io: Io, rehearsal: Rehearsal): void {
  const { template, phases, gates, findings, paths, states, steps } = rehearsal;
  printHeading(io, `${template.name}@${template.version}`);
  for (const { key, reached } of phases) {
    const stops = gates.filter(({ phase }) => phase === key).map(gateText);
    const sign = reached ? paint(io, 'green', '✓') : paint(io, 'red', '✗');
    io.out(`${sign} ${visible([key, ...stops].join('  '))}\n`);
  }
  const most = paths.prompts.max === null ? 'more without a limit' : `at most ${paths.prompts.max} if agents fail`;
  io.out(`\n${counted(paths.prompts.min, 'prompt')} to completion, ${most}; ${counted(paths.agents, 'agent')}.\n`);
  io.out(`devflow walked through ${counted(states, 'state')} and ${counted(steps, 'step')}.\n`);
  for (const { code, message, path } of findings) {
    io.out(`\n${paint(io, 'red', code)}: ${visible(message)}\n`);
    for (const [nth, words] of path.entries()) io.out(`  ${nth + 1}. ${visible(words)}\n`);
  }
}

function gateText({ gate, onEveryPath, mayBeSkipped }: Rehearsal['gates'][number]): string {
  if (onEveryPath) return `[${gate}]`;
  return mayBeSkipped ? `[${gate}, unless the phase is skipped]` : `[${gate}, avoidable]`;
}

/** Prints the run with fake agents. */
export function printPlayed(io: Io, { ok, commands, sentence }: Played): void {
  printHeading(io, 'Run with fake agents');
  for (const { argv, exitCode } of commands) {
    const sign = exitCode === 0 ? paint(io, 'green', '✓') : paint(io, 'red', '✗');
    io.out(`${sign} ${visible(argv.map(shellWord).join(' '))}: exit code ${exitCode ?? 'none'}\n`);
  }
  io.out(`${paint(io, ok ? 'green' : 'red', ok ? '✓' : '✗')} ${visible(sentence)}\n`);
}
