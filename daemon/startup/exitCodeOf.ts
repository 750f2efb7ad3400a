import { handlerFault, toErrorRecord } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { keptExitOf } from '../../schemas/keeper/keptExit.ts';

/** With what code a daemon ends. For its keeper, errors of the driver and of the system tell as much as devflow's own. */
export function exitCodeOf(error: unknown, { kept }: { kept: boolean }): number {
  const own = error instanceof DevflowError ? error : undefined;
  const code = own?.code ?? (handlerFault(error) ?? toErrorRecord(error)).code;
  return (kept ? keptExitOf(code) : undefined) ?? own?.exitCode ?? 2;
}
