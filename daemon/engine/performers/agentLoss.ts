import { type ErrorRecord, isMachineFault, toErrorRecord } from '../../../schemas/errors.ts';

/** Why an agent was lost, to be counted against it. Throws what no recovery of an agent mends: a shutdown, trouble with the disk. */
export function agentLoss(error: unknown): ErrorRecord {
  const record = toErrorRecord(error);
  if (record.code === 'shutting_down' || isMachineFault(record.code)) throw error;
  return record;
}
