import { version } from '../schemas/files/release.ts';
import type { Io } from './io/io.ts';
import { printFailure, toFailure } from './print/failure.ts';
import { createProgram } from './program.ts';
import { usageFailure } from './usage.ts';

/** Runs one command line. Prints failures and returns the exit code. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === '--version') {
    io.out(`${version()}\n`);
    return 0;
  }
  let code = 0;
  const exit = (value: number) => {
    code = value;
  };
  const program = createProgram({ io, exit, only: onlyCommand(argv) });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    const usage = usageFailure(error, argv, program);
    if (usage === 'shown') return 0;
    const failure = usage ?? toFailure(error);
    printFailure(io, failure, wantsJson(argv));
    return failure.exit;
  }
}

/** The one command that will run; undefined if the definitions of the others are needed, too. */
function onlyCommand([first]: readonly string[]): string | undefined {
  const needsAll = first === undefined || first === 'help' || first === '__complete' || !/^[a-z]+$/.test(first);
  return needsAll ? undefined : first;
}

/** True if `--json` is given, also on a wrong command line. Words after `--` do not count. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}
