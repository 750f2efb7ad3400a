import { isTimeText } from '../../document/calendar.ts';
import { isMap } from '../../document/fields.ts';
import type { CyclePlan, PlanTask } from '../state/cycleState.ts';

/** A plan as a document has it. Other programs call the effort `estimated_duration`, and give tasks a `title`. */
export function planOf(object: Record<string, unknown>, time: string): CyclePlan {
  const { version = '1.0.0', tasks, estimated_duration, critical_path = [], last_updated } = object;
  const { total_estimated_effort = textOf(estimated_duration), ...more } = object;
  return {
    ...more,
    version,
    tasks: Array.isArray(tasks) ? tasks.map(taskOf) : tasks,
    total_estimated_effort,
    critical_path,
    last_updated: isTimeText(last_updated) ? last_updated : time,
  } as CyclePlan;
}

function taskOf(task: unknown): PlanTask {
  if (!isMap(task)) return task as never;
  const { title, description = title, effort = 'medium', depends_on = [], status = 'pending', files = [] } = task;
  return { ...task, description, effort, depends_on, status, files } as unknown as PlanTask;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
