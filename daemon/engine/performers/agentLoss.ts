import { type ErrorRecord, toErrorRecord } from '../../../schemas/errors.ts';

/** Why an agent was lost, to be counted against it. Throws what no recovery of an agent mends: a shutdown, a full disk. */
export function agentLoss(error: unknown): ErrorRecord {
  const record = toErrorRecord(error);
  if (record.code === 'shutting_down' || record.code === 'disk_full') throw error;
  return record;
}
