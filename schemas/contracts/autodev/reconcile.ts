import { type Finding, finding, type Report } from '../report/report.ts';
import { type TreeSnapshot, textOf } from '../report/tree.ts';
import { type Detection, detectStep } from './detectStep.ts';
import { flowAfter, ordinalOf } from './flows.ts';
import { compareInternalState, type InternalState } from './internalState.ts';
import { awaitingInvocation, POINTER_CONTRACT, POINTER_FILE, type Pointer, type ReadPointer } from './pointer.ts';
import { readPointer } from './readPointer.ts';
import { needsDecision } from './record.ts';
import { REPO_CONFIG, type Workspace } from './resolveFlow.ts';
import { isPresent } from './scan.ts';
import { type StepState, summarize } from './summary.ts';

/** Where the work goes on, by the pointer and the folders. */
export interface Reconciled {
  source: 'state-file' | 'folder-scan';
  /** Why the pointer does not drive; null if it does. */
  reason: 'missing' | 'unreadable' | 'folder' | 'flow' | null;
  before: ReadPointer | null;
  pointer: Pointer;
  detected: Detection;
  /** The step failed, and may be tried again without asking. */
  autoRetry: boolean;
  /** The step failed three times: a person decides. */
  needsUser: boolean;
  summary: StepState[];
  internal: InternalState | null;
  written: boolean;
}

export type Reconciliation = Report<Reconciled> & { parsed: Reconciled };

/**
 * A pointer that the folders do not contradict drives. Otherwise the folders are trusted, and what was wrong with the pointer is
 * a warning: the work goes on.
 */
export function reconcile(workspace: Workspace): Reconciliation {
  const { tree } = workspace;
  const { pointer: before, read, findings, isMissing } = readPointer(textOf(tree, POINTER_FILE));
  const { detected, reason, warning } = before
    ? compare(before, workspace)
    : {
        detected: detectStep(workspace),
        reason: isMissing ? ('missing' as const) : ('unreadable' as const),
        warning: [],
      };
  const pointer = before && reason === null ? before : pointerAt(detected);
  const { internal, findings: internalFindings } = compareInternalState(tree, pointer);
  const warnings = [...(isMissing ? [] : findings), ...warning, ...internalFindings];
  const needsUser = needsDecision(pointer);
  return {
    contract: POINTER_CONTRACT,
    subject: POINTER_FILE,
    valid: true,
    errors: [],
    warnings,
    parsed: {
      source: reason === null ? 'state-file' : 'folder-scan',
      reason,
      before: read,
      pointer,
      detected,
      autoRetry: pointer.status === 'failed' && !needsUser,
      needsUser,
      summary: summarize(pointer),
      internal,
      written: false,
    },
  };
}

interface Comparison {
  detected: Detection;
  reason: 'folder' | 'flow' | null;
  warning: Finding[];
}

/**
 * The flow of a pointer holds, with two exceptions. A repository with the configuration of `meta-repo` has that flow.
 * Where a flow is done, another one begins.
 */
function compare(before: Pointer, workspace: Workspace): Comparison {
  const { flow, step, name, cycle } = before;
  const hasMoved = flow !== 'meta-repo' && isPresent(workspace.tree, REPO_CONFIG);
  const detected: Detection = hasMoved
    ? detectStep(workspace)
    : { ...detectStep(workspace, { flow, cycle }), flowRule: 'pointer' };
  const [first = 0, last = 0] = detected.allows;
  const at = ordinalOf(flow, step);
  if (!hasMoved && at >= first && at <= last) {
    const next = flowAfter(before);
    if (next === undefined) return { detected, reason: null, warning: [] };
    return {
      detected: { ...detectStep(workspace, { flow: next, cycle: 1 }), flowRule: 'pointer' },
      reason: 'flow',
      warning: [],
    };
  }
  const message = `The pointer says ${flow} step ${step} (${name}); the folders say ${detected.flow} step ${detected.step} (${detected.name}), by the rule ${detected.rule}.`;
  const found = finding('AUTODEV_DISAGREES', message, { path: POINTER_FILE, field: hasMoved ? 'flow' : 'step' });
  return { detected, reason: hasMoved ? 'flow' : 'folder', warning: [found] };
}

/** The folders' contradictions of a pointer; none if they agree, or if the pointer is not valid. */
export function crossCheck(tree: TreeSnapshot, pointer: Pointer | null): Finding[] {
  // Only a repository without a flow needs its source code, and a pointer names one.
  return pointer ? compare(pointer, { tree, source: null }).warning : [];
}

/** The pointer to a detected step. The skill of the step finds its own phase. */
function pointerAt({ flow, step, name, gate, cycle }: Detection): Pointer {
  const status = gate === null ? 'not_started' : 'completed';
  return { flow, step, name, status, sub_step: awaitingInvocation(), retry_count: 0, cycle };
}
