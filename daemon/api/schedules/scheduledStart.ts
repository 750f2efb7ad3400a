import { defined } from '../../../schemas/defined.ts';
import type { StartRequest } from '../../engine/local/startRequest.ts';
import type { Schedule } from '../../store/schedules.ts';
import { startRequestOf } from '../runs/startRequestOf.ts';

/** The template of a schedule that names none; undefined: as the settings of the repository say. */
export const DEFAULT_TEMPLATE: string | undefined = undefined;

/** A start of the schedule. Nobody is there to be asked, so what nobody allowed stays out. */
export function scheduledStart({
  repoPath,
  title,
  request,
}: Pick<Schedule, 'repoPath' | 'title' | 'request'>): StartRequest {
  const template = request.template ?? DEFAULT_TEMPLATE;
  return { ...startRequestOf(request), repo: repoPath, ...defined({ template, title: title ?? undefined }) };
}
