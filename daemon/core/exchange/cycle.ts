import { CYCLE_ARTIFACTS, eventsOf, isCycleArtifact } from '../../../schemas/contracts/cycle/artifacts.ts';
import { type DocumentWrite, documentsOf } from '../../../schemas/contracts/cycle/documents/documentsOf.ts';
import type { CycleEvent } from '../../../schemas/contracts/cycle/evolve/cycleEvent.ts';
import { evolve } from '../../../schemas/contracts/cycle/evolve/evolve.ts';
import {
  completeCycle,
  extendCycle,
  failCycle,
  pauseCycle,
  resumeCycle,
} from '../../../schemas/contracts/cycle/evolve/lifecycle.ts';
import { makeCycleId } from '../../../schemas/contracts/cycle/state/cycleId.ts';
import { documentPath, statePath } from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import type { AgentName, CycleState, PlanTask } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import { newCycle } from '../../../schemas/contracts/cycle/state/newCycle.ts';
import { JUDGED } from '../../../schemas/definitions/exchange.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import { canonicalize } from '../../../schemas/hash.ts';
import { keepsWholeCycle } from '../run/behaviour.ts';
import type { ExchangeState } from '../run/exchangeState.ts';
import { blockOf } from '../run/iterations.ts';
import { definitionOf } from '../run/query.ts';
import type { Phase, Run } from '../run/state.ts';

/** The state of a cycle and its documents. Each event of the run is what happened to the cycle. */
export function cycleFiles(before: ExchangeState, run: Run, event: RunEvent): ExchangeState {
  const now = Date.parse(event.ts);
  const state = before.cycle ?? bornAt(run, now);
  const cycle = stepsAfter(run, event).reduce((at, step) => taken(at, step, now), state);
  if (cycle === before.cycle) return before;
  const documents = before.cycle ? documentsOf(before.cycle, cycle).reduce(written, before.files) : before.files;
  return { cycle, files: { ...documents, [statePath(cycle.cycle_id)]: JSON.stringify(cycle, null, 2) } };
}

function bornAt({ id, requirementsMd, template }: Run, now: number): CycleState {
  const bytes = Uint8Array.from(id.matchAll(/[0-9a-f]{2}/g), ([byte]) => Number.parseInt(byte, 16));
  const task = requirementsMd.toWellFormed();
  return newCycle({ id: makeCycleId(now, bytes), task, maxIterations: template.iterate?.max }, now);
}

/** A change of the cycle. */
type Step = (state: CycleState, now: number) => CycleState;

/** The state after a step. A step that the cycle does not allow, such as news of a paused cycle, changes nothing. */
function taken(state: CycleState, step: Step, now: number): CycleState {
  try {
    return step(state, now);
  } catch (error) {
    if (error instanceof DevflowError) return state;
    throw error;
  }
}

const happens =
  (event: CycleEvent): Step =>
  (state, now) =>
    evolve(state, event, now);

function stepsAfter(run: Run, event: RunEvent): Step[] {
  const phase = run.phases.find(({ id }) => id === event.phaseId);
  switch (event.type) {
    case 'iteration.started':
      return 'iteration' in event.payload ? [begin(event.payload), ...feedbackOf(run)] : [];
    case 'iteration.completed':
      if (!('iteration' in event.payload)) return [];
      return [
        happens({ type: 'iteration.completed', issues_found: event.payload.issues, resolved: event.payload.resolved }),
      ];
    case 'phase.started':
      return ofAgent(run, phase, (agent) => [works(agent)]);
    case 'artifact.validated': {
      const { schema, data } = event.payload;
      // The changes are those that git sees, when they are committed.
      if (!isCycleArtifact(schema) || schema === 'cycle/changes@1') return [];
      return eventsOf(schema, inOrder(data)).map(happens);
    }
    case 'phase.completed':
      return ofAgent(run, phase, (agent) => [works(agent), ...delivers(run, phase as Phase, agent)]);
    case 'approval.requested': {
      const { subject } = event.payload;
      const error = String(subject.reason ?? 'a person must decide').toWellFormed();
      return holdsFailure(event.payload)
        ? ofAgent(run, phase, (agent) => [happens({ type: 'agent.failed', agent, error })])
        : [];
    }
    case 'artifact.invalid':
    case 'artifact.timeout':
    case 'session.crashed':
      return keepsWholeCycle(run) ? ofAgent(run, phase, (agent) => [recovers(agent, failureOf(event))]) : [];
    case 'run.paused':
      return [pauseCycle];
    case 'run.resumed':
      return [resumeCycle];
    case 'run.failed':
    case 'run.aborted':
      return [(state, now) => failCycle(state, event.payload.reason.toWellFormed() || event.type, now)];
    case 'run.completed':
      return [completeCycle];
    default:
      return [];
  }
}

/** The content with its keys in one order: the database keeps another than the agent's. */
function inOrder(data: unknown): Record<string, unknown> {
  return JSON.parse(canonicalize(data)) as Record<string, unknown>;
}

/** A person may want more iterations than the template allows. */
function begin({ iteration, extension }: { iteration: number; extension?: string }): Step {
  return (state, now) => {
    const max_iterations = Math.max(state.max_iterations, iteration);
    const raised = { ...state, max_iterations };
    if (extension === undefined || extension.trim() === '') return evolve(raised, { type: 'iteration.started' }, now);
    return extendCycle(raised, { task: extension.toWellFormed() }, now);
  };
}

/** The agent is at work; it may have been before. */
function works(agent: AgentName): Step {
  return (state, now) =>
    state.agents[agent].status === 'running' ? state : evolve(state, { type: 'agent.started', agent }, now);
}

/** An agent delivers its document, and the files that git calls changed. */
function delivers(run: Run, phase: Phase, agent: AgentName): Step[] {
  const { assignments, work } = phase;
  const changes = work?.changes ?? [];
  const notes = notesOf(assignments[0]?.artifact?.data);
  const made = changes.map(({ path, action }) => ({ file: path, action, description: notes.get(path) ?? '' }));
  const recorded =
    made.length > 0 && agent === 'cd' ? [happens({ type: 'changes.appended', agent, changes: made })] : [];
  const completed: Step = (state, now) => {
    const output_files = [documentPath(state.cycle_id, DOCUMENT[agent])];
    return evolve(state, { type: 'agent.completed', agent, output_files, files_modified: changes.length }, now);
  };
  const tasks = agent === 'cd' && keepsWholeCycle(run) ? [tasksCompleted] : [];
  return [...recorded, ...tasks, completed];
}

/** The plan was carried out. A blocked task stays blocked. */
const tasksCompleted: Step = (state) => {
  const { plan } = state;
  const isOpen = ({ status }: PlanTask) => status === 'pending' || status === 'in_progress';
  if (!plan?.tasks.some(isOpen)) return state;
  const tasks = plan.tasks.map((task) => (isOpen(task) ? { ...task, status: 'completed' as const } : task));
  return { ...state, plan: { ...plan, tasks } };
};

/** A failure that devflow recovers from by itself stays in the state as an error of its phase. */
function recovers(agent: AgentName, error: string): Step {
  return (state, now) => {
    if (state.agents[agent].status !== 'running') return state;
    return works(agent)(evolve(state, { type: 'agent.failed', agent, error }, now), now);
  };
}

function failureOf({ type, payload }: RunEvent): string {
  if (type === 'artifact.timeout') return 'no artifact came in time';
  if (type !== 'artifact.invalid') return 'its session crashed';
  const [first] = payload.errors;
  return `its artifact was not valid${first ? `: ${first.message}` : ''}`.toWellFormed();
}

/** Logs the issues that the tests left open, as feedback to the agents whose prompts include them. */
function feedbackOf(run: Run): Step[] {
  const [last] = run.iterations.slice(-2, -1);
  const judge = blockOf(run).find(
    (phase) => definitionOf(run, phase).expectedArtifact?.schema === JUDGED['cycle-resolved'],
  );
  if (!keepsWholeCycle(run) || !judge || !last || last.issues.length === 0) return [];
  const content = last.issues.join('\n').toWellFormed();
  const readers = blockOf(run).filter((phase) => {
    return phase !== judge && definitionOf(run, phase).instructions?.includes(`{{findings:${judge.key}}}`);
  });
  return readers.flatMap((phase) =>
    ofAgent(run, phase, (target) => [
      happens({ type: 'feedback.logged', source: 'vas', target, content, feedback: 'bug_report' }),
    ]),
  );
}

const DOCUMENT = { ra: 'requirements', ep: 'plan', cd: 'changes', vas: 'test_results' } as const;

/** The agent's own notes about the files that it changed. */
function notesOf(data: unknown): Map<string, string> {
  const { changes = [] } = (data ?? {}) as { changes?: { file?: unknown; description?: unknown }[] };
  return new Map(
    changes.flatMap(({ file, description }) =>
      typeof file === 'string' && typeof description === 'string' ? [[file, description] as const] : [],
    ),
  );
}

function ofAgent(run: Run, phase: Phase | undefined, steps: (agent: AgentName) => Step[]): Step[] {
  const schema = phase && definitionOf(run, phase).expectedArtifact?.schema;
  return schema && isCycleArtifact(schema) ? steps(CYCLE_ARTIFACTS[schema].agent) : [];
}

/** The documents after one was written. The replaced file is kept under a free name. */
function written(files: ExchangeState['files'], write: DocumentWrite): ExchangeState['files'] {
  const { path, text } = write;
  const old = files[path];
  if (write.kind === 'append') return { ...files, [path]: `${old ?? ''}${text}` };
  if (old === undefined || !write.history) return { ...files, [path]: text };
  const { stem, extension } = write.history;
  let kept = `${stem}${extension}`;
  for (let nth = 2; files[kept] !== undefined && files[kept] !== old; nth += 1) kept = `${stem}-${nth}${extension}`;
  return { ...files, [kept]: old, [path]: text };
}
