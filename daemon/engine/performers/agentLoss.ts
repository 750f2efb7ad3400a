import { isMachineFault, toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import type { ErrorRecord } from '../../../schemas/errors.ts';

/** Why the agent was lost. Rethrows what no recovery repairs: a shutdown, or a fault of the machine. */
export function agentLoss(error: unknown): ErrorRecord {
  const record = toErrorRecord(error);
  if (record.code === 'shutting_down' || isMachineFault(record.code)) throw error;
  return record;
}
