import { jsonDocument } from '../../../schemas/contracts/document/json.ts';
import { pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import { iterationOf } from '../run/iterations.ts';
import { expectedArtifactOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';
import { newestPlan, PLAN } from './newestPlan.ts';
import type { Timed } from './timed.ts';

/** The progress of the phase that carries the newest plan out; nothing without a plan. */
export function progressOf(run: Run, project: string): Timed[] {
  const plan = newestPlan(run);
  if (!plan) return [];
  const { planVersion, steps = [] } = plan.document;
  const phase = executing(run, plan);
  const isDone = phase?.state === 'completed';
  const current = phase ? Math.min(Math.max(phase.progress?.number ?? 1, 1), Math.max(steps.length, 1)) : 0;
  const done = isDone ? steps.length : Math.max(current - 1, 0);
  const commit = isDone ? (phase.work?.commit ?? null) : null;
  const facts = {
    schema_version: '1',
    plan: pathIn(project, 'plan'),
    plan_type: 'plan',
    plan_version: planVersion ?? '',
    started_at: plan.at,
  };
  const numbers = steps.map((_, index) => index + 1);
  const text = (updated_at: string) =>
    jsonDocument({
      ...facts,
      updated_at,
      ...(isDone ? { completed_at: phase.endedAt } : {}),
      mode: 'execute',
      total_steps: steps.length,
      current_step: done,
      status: phase ? STATUS[phase.state] : 'pending',
      session_start_sha: run.baseCommit,
      session_end_sha: commit,
      steps: Object.fromEntries(numbers.map((step) => [step, recordOf(phase, step, { done, current, commit })])),
    });
  return [{ path: pathIn(project, 'progress'), at: text }];
}

const STATUS: Readonly<Record<Phase['state'], 'pending' | 'in_progress' | 'completed' | 'failed'>> = {
  pending: 'pending',
  running: 'in_progress',
  awaiting_artifact: 'in_progress',
  validating: 'in_progress',
  awaiting_approval: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  skipped: 'pending',
};

/** The record of a step. devflow judges its manifest, not the agent. */
function recordOf(
  phase: Phase | undefined,
  step: number,
  { done, current, commit }: { done: number; current: number; commit: string | null },
) {
  const isDone = step <= done;
  const isAt = !isDone && step === current;
  const atWork = phase?.state === 'failed' ? 'failed' : 'in_progress';
  const audit = isDone ? phase?.work?.audits?.find((each) => each.step === step) : undefined;
  return {
    status: isDone ? 'completed' : isAt ? atWork : 'pending',
    attempts: isDone || isAt ? (phase?.attempts ?? 0) : 0,
    error: null,
    completed_at: phase?.state === 'completed' ? phase.endedAt : null,
    commit: isDone ? commitOf(phase, step, commit) : commit,
    manifest_audit: audit?.result ?? 'n/a',
    ...(audit && audit.faults.length > 0 ? { note: audit.faults.join('; ').toWellFormed() } : {}),
  };
}

/** The newest commit of the steps up to this one, whatever the attempt; the commit of the phase if there is none. */
function commitOf(phase: Phase | undefined, step: number, commit: string | null): string | null {
  const steps = phase?.commits.flatMap((work) => work.steps ?? []) ?? [];
  return steps.findLast((each) => each.step <= step)?.commit ?? commit;
}

/** The phase that executes the plan; undefined before it starts. */
function executing(run: Run, { at }: { at: string }): Phase | undefined {
  const domainOf = (phase: Phase) => expectedArtifactOf(run, phase).schema.split('/')[0];
  const first = run.phases.find((phase) => expectedArtifactOf(run, phase).schema === PLAN);
  const isExecuting = (phase: Phase) => domainOf(phase) !== '' && domainOf(phase) !== 'handover';
  const phase = run.phases.find((each) => first !== undefined && each.seq > first.seq && isExecuting(each));
  const executes = phase ?? run.phases.find(isExecuting);
  if (!executes || executes.state === 'pending' || executes.startedAt === null) return undefined;
  const began = [executes.startedAt, iterationOf(run)?.startedAt ?? ''];
  return began.some((time) => time >= at) ? executes : undefined;
}
