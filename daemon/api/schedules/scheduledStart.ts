import { defined } from '../../../schemas/defined.ts';
import type { StartRequest } from '../../engine/local/startRequest.ts';
import type { Schedule } from '../../store/schedules.ts';
import { startRequestOf } from '../runs/startRequestOf.ts';

/** A start of the schedule. Nobody is there to be asked, so what nobody allowed stays out. */
export function scheduledStart({
  repoPath,
  title,
  request,
}: Pick<Schedule, 'repoPath' | 'title' | 'request'>): StartRequest {
  return { ...startRequestOf(request), repo: repoPath, ...defined({ title: title ?? undefined }) };
}
