import { dirname } from 'node:path';
import { secretDirectory } from '../../../commands/commandFiles.ts';
import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { readMeasurement as read } from '../../../measure/metrics/readMeasurement.ts';
import { protectionOf } from './protection.ts';

/** Reads what a command wrote, and whether the protected files are still the same. */
export const readMeasurement: Performer<'readMeasurement'> = async (effect, ports) => {
  const { runId, phaseId, commandId, lane, stdoutPath, stderrPath, ended, source, units, files, apart } = effect;
  await keepWorktree(runId, lane, ports);
  ports.faults.at('readMeasurement.before_read');
  const dir = effect.dir ?? secretDirectory(dirname(stdoutPath), commandId) ?? '';
  const measurement = await read({ dir, stdoutPath, stderrPath, ended, source, units });
  const protection = await protectionOf(lane, files, apart);
  return { type: 'measured', phaseId, commandId, measurement, protectedHash: await protection.hash() };
};
