import type { z } from 'zod';
import { SharedPairs } from '../../../schemas/rpc/views/lanes.ts';

/** The pairs of tasks that a gate `parallel_dag_approved` asks about; none if its subject has another form. */
export function sharedPairs(subject: Readonly<Record<string, unknown>>): z.infer<typeof SharedPairs> {
  return SharedPairs.safeParse(subject.pairs).data ?? [];
}
