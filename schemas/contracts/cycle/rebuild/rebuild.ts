import { CODES } from '../../report/codes.ts';
import { makeReport, type Report } from '../../report/report.ts';
import type { TreeSnapshot } from '../../report/tree.ts';
import { checkCycle } from '../check/checkCycle.ts';
import { birthOf } from '../state/cycleId.ts';
import { CYCLE_CONTRACT, type DocumentName, documentPath, statePath } from '../state/cyclePaths.ts';
import {
  AGENTS,
  type AgentName,
  type AgentState,
  type CycleState,
  MAX_ITERATIONS,
  type Phase,
  TITLE_CHARACTERS,
} from '../state/cycleState.ts';
import { cycleTime } from '../state/cycleTime.ts';
import { firstCharacters } from '../state/newCycle.ts';
import { readState } from '../state/readState.ts';
import { iterationOf } from '../state/version.ts';
import { iterationsOf } from './iterationsOf.ts';
import { type Parts, readParts } from './readParts.ts';

export interface Rebuilt {
  /** True if the state file can be read as it is. */
  intact: boolean;
  /** Null if a document cannot be read. */
  state: CycleState | null;
  written: boolean;
  /** Where the old state file is kept. */
  savedAs: string | null;
}

/** The state that the documents of a cycle tell of. It is paused: a person looks at it before agents go on. */
export function rebuild(tree: TreeSnapshot, id: string): Report<Rebuilt> {
  const read = readState(tree, id);
  const { parts, findings } = readParts(tree, id);
  const isReadable = findings.every(({ code }) => CODES[code].strict === 'warning');
  const old = read.kind === 'read' ? (read.state as Partial<CycleState>) : undefined;
  const state = isReadable ? stateOf(tree, id, parts, old) : null;
  const parsed = { intact: old !== undefined, state, written: false, savedAs: null };
  return makeReport({ contract: CYCLE_CONTRACT, subject: id, mode: 'strict', findings, parsed });
}

/** With what the old state says beside the documents, as far as that is valid. */
function stateOf(tree: TreeSnapshot, id: string, parts: Parts, old: Partial<CycleState> | undefined): CycleState {
  const bare = fromParts(id, parts, tree.now);
  if (!old) return bare;
  const kept = withOld(bare, parts, old, cycleTime(tree.now));
  return kept && isValid(kept, id) ? kept : bare;
}

function isValid(state: CycleState, id: string): boolean {
  return checkCycle(state, { id, path: statePath(id) }).every(({ code }) => CODES[code].strict === 'warning');
}

function fromParts(id: string, parts: Parts, now: number): CycleState {
  const iterations = iterationsOf(parts, { known: [], now: cycleTime(now) });
  const agents = agentsOf(id, parts);
  const completed = AGENTS.filter((agent) => agents[agent].status === 'completed');
  const title = titleOf(id, parts);
  return {
    cycle_id: id,
    title,
    description: parts.requirements?.specification || title,
    task_history: [title],
    status: 'paused',
    created_at: birthOf(id, now),
    updated_at: cycleTime(now),
    max_iterations: Math.max(MAX_ITERATIONS, iterations.length),
    current_iteration: iterations.length,
    agents,
    current_phase: phaseOf(iterations.length, completed),
    completed_phases: completed,
    phase_errors: [],
    ...present(parts),
    iterations,
    coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
  };
}

/** Adds what no document has: the tasks, the words of the user, and messages between the agents. */
function withOld(bare: CycleState, parts: Parts, old: Partial<CycleState>, now: string): CycleState | undefined {
  const { requirements, plan, changes, test_results, completed_at, failure_reason, ...rest } = old;
  if (!Array.isArray(rest.iterations) || typeof rest.max_iterations !== 'number') return undefined;
  const iterations = iterationsOf(parts, { known: rest.iterations, now });
  return {
    ...bare,
    ...rest,
    status: 'paused',
    updated_at: now,
    max_iterations: Math.max(rest.max_iterations, iterations.length),
    current_iteration: iterations.length,
    agents: bare.agents,
    current_phase: bare.current_phase,
    completed_phases: bare.completed_phases,
    ...present(parts),
    iterations,
  };
}

function present(parts: Parts): Parts {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

const PRODUCTS = { ra: 'requirements', ep: 'plan', cd: 'changes', vas: 'test_results' } as const satisfies Record<
  AgentName,
  DocumentName
>;

/** An agent whose document is there has completed. */
function agentsOf(id: string, parts: Parts): Record<AgentName, AgentState> {
  const states = AGENTS.map((agent): [AgentName, AgentState] => {
    const name = PRODUCTS[agent];
    const part = parts[name];
    if (!part) return [agent, { status: 'idle', output_files: [], iterations_completed: 0 }];
    const iterations_completed =
      'version' in part ? iterationOf(part.version) : Object.keys(part.iteration_markers).length;
    return [agent, { status: 'completed', output_files: [documentPath(id, name)], iterations_completed }];
  });
  return Object.fromEntries(states) as Record<AgentName, AgentState>;
}

function phaseOf(iterations: number, completed: readonly AgentName[]): Phase {
  if (iterations === 0) return 'init';
  return AGENTS.find((agent) => !completed.includes(agent)) ?? 'aggregation';
}

/** No document has the title of the cycle. The first line of the specification comes near. */
function titleOf(id: string, { requirements }: Parts): string {
  const lines = requirements?.specification.slice(0, 10_000).split('\n') ?? [];
  const line = lines.map((each) => each.replace(/^[#\s]+/, '').trim()).find((each) => each !== '');
  return firstCharacters(line ?? id, TITLE_CHARACTERS);
}
