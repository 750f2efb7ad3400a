import { version } from '../schemas/release.ts';
import { printFailure, toFailure } from './failure.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';
import { usageFailure } from './usage.ts';

/** Runs one command line; returns the exit code and prints whatever there is to say. */
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
    const usage = usageFailure(error, argv);
    if (usage === 'shown') return 0;
    const failure = usage ?? toFailure(error);
    printFailure(io, failure, wantsJson(argv));
    return failure.exit;
  }
}

/** The command that will run, where nothing else of the program can be asked for. */
function onlyCommand([first]: readonly string[]): string | undefined {
  const needsAll = first === undefined || first === 'help' || first === '__complete' || !/^[a-z]+$/.test(first);
  return needsAll ? undefined : first;
}

/** Also where the command line itself is wrong; what follows `--` belongs to someone else. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? argv.length : end).includes('--json');
}
