import { Argument, type Command } from 'commander';
import { type Cli, leavesOf } from './leaf.ts';

/** Commands for scripts and shells. */
export function defineScript(program: Command, cli: Cli): void {
  leavesOf(program, cli)
    .leaf(
      'rpc <method> [params]',
      'call an RPC method; params as JSON, - for standard input',
      () => import('../commands/rpc.ts'),
    )
    // Accepted because every data command has it. The output is always JSON.
    .option('--json', 'print JSON');
  const completion = program
    .command('completion')
    .description('print a completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']));
  completion.action(async (shell: 'bash' | 'zsh' | 'fish') => {
    const { script } = await import('../commands/completion.ts');
    cli.io.out(script(shell));
    cli.exit(0);
  });
  const asked = program.command('__complete <shell> <words...>', { hidden: true });
  asked.action(async (shell: 'bash' | 'zsh' | 'fish', words: string[]) => {
    const { complete } = await import('../commands/complete.ts');
    await complete(shell, words, program, cli.io);
    cli.exit(0);
  });
  const ending = program.command('__end-scratch <dir>', { hidden: true });
  ending.action(async () => {
    const { action } = await import('../commands/endScratch.ts');
    cli.exit((await action(ending.processedArgs, {}, cli.io, ending.name())) ?? 0);
  });
}
