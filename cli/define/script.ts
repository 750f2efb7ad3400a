import { Argument, type Command } from 'commander';
import { type Cli, leaf } from './leaf.ts';

/** What is for scripts and shells. */
export function defineScript(program: Command, cli: Cli): void {
  leaf(
    program,
    cli,
    'rpc <method> [params]',
    'call any method; params as JSON, - for standard input',
    () => import('../commands/rpc.ts'),
  )
    // Its output is JSON in any case.
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
}
