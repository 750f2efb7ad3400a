import { randomUUID } from 'node:crypto';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Plan } from '../../../schemas/contracts/report/plan.ts';
import { type TreeSnapshot, textOf, type Wanted } from '../../../schemas/contracts/report/tree.ts';
import { auditState } from '../../../schemas/contracts/stateDirectory/audit.ts';
import { classifyName, isResetExempt, laneFile, laneSlug } from '../../../schemas/contracts/stateDirectory/classify.ts';
import { LOCK_FILE, STATE_DIR, WORKFLOW_FILE } from '../../../schemas/contracts/stateDirectory/contract.ts';
import { contractInForce } from '../../../schemas/contracts/stateDirectory/contractInForce.ts';
import { planEvict, planInit } from '../../../schemas/contracts/stateDirectory/evict.ts';
import { findWorkflow } from '../../../schemas/contracts/stateDirectory/findWorkflow.ts';
import { listSnapshots, WANTED_HISTORY } from '../../../schemas/contracts/stateDirectory/history.ts';
import { planCleanup, planReset } from '../../../schemas/contracts/stateDirectory/plans.ts';
import { checkReferences } from '../../../schemas/contracts/stateDirectory/references.ts';
import type { SnapshotKind } from '../../../schemas/contracts/stateDirectory/ring.ts';
import { checkSidecar, requireSidecarRule } from '../../../schemas/contracts/stateDirectory/sidecars.ts';
import { WANTED_NAMES } from '../../../schemas/contracts/stateDirectory/stateEntries.ts';
import {
  changesOfInit,
  changesOfUpdate,
  readPairs,
  requireWorkflowType,
} from '../../../schemas/contracts/stateDirectory/updateWorkflow.ts';
import { validateState, WANTED_CONTENTS } from '../../../schemas/contracts/stateDirectory/validate.ts';
import { renderWorkflow, workflowObject } from '../../../schemas/contracts/stateDirectory/workflowFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { pidExists } from '../../../schemas/process/processes.ts';
import { applyPlans } from '../../contracts/applyPlan.ts';
import {
  type ContractPorts,
  contractNotFound,
  requireRepository,
  requireUnused,
} from '../../contracts/contractPorts.ts';
import { readTree } from '../../contracts/readTree.ts';
import {
  hasStateDirectory,
  makeStateDirectory,
  requireWorkflow,
  WANTED_FOR_PLANS,
  withLock,
} from '../../contracts/stateDirectory.ts';
import { writeWhole } from '../../contracts/writeWhole.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

/** The state directory of a repository. Every change holds its lock. */
export function createStateMethods(ports: ContractPorts): HandlersOf<'state'> {
  const { now } = ports;
  const read = (repo: string, wanted: readonly Wanted[]) => {
    requireRepository(repo);
    return readTree(repo, wanted, now());
  };
  /** Reads under the lock. The lock file is no part of the tree. */
  const readLocked = (repo: string): TreeSnapshot => {
    const { entries, ...tree } = readTree(repo, WANTED_FOR_PLANS, now());
    return { ...tree, entries: new Map([...entries].filter(([path]) => path !== LOCK_FILE)) };
  };
  const carryOut = async <P extends Plan>(
    { repo, apply, archiveRuns }: { repo: string; apply: boolean; archiveRuns?: number },
    kind: SnapshotKind,
    planOf: (tree: TreeSnapshot) => P,
  ): Promise<P> => {
    const planned = planOf(read(repo, WANTED_FOR_PLANS));
    if (!apply) return planned;
    await requireUnused(ports, join(repo, STATE_DIR));
    if (!hasStateDirectory(repo)) return { ...planned, applied: true };
    return withLock(repo, () => applyPlans(repo, [[planOf(readLocked(repo)), kind]], now(), archiveRuns)[0] as P);
  };
  /** Writes workflow.yaml whole, and returns its values. */
  const write = (
    repo: string,
    tree: TreeSnapshot,
    changesOf: (values: ReadonlyMap<string, unknown>) => Map<string, unknown>,
  ) => {
    const before = requireWorkflow(tree);
    const changes = changesOf(before.values);
    writeWhole(repo, WORKFLOW_FILE, renderWorkflow(before, changes));
    return workflowObject({ values: new Map([...before.values, ...changes]) });
  };
  const stamp = () => ({ now: now(), newId: randomUUID() });

  return {
    'state.audit': ({ repo, ...options }) => auditState(read(repo, WANTED_NAMES), options),
    'state.validate': ({ repo }) => validateState(read(repo, WANTED_CONTENTS), pidExists),
    'state.cleanup': (params) => carryOut(params, 'cleanup', (tree) => planCleanup(tree, params)),
    'state.reset': (params) => carryOut(params, 'reset', planReset),
    'state.evict': (params) => carryOut(params, 'evict', planEvict),
    'state.init': async ({ repo, type, task = null, apply }) => {
      requireWorkflowType(type);
      const tree = read(repo, WANTED_FOR_PLANS);
      requireWorkflow(tree);
      const found = findWorkflow(tree);
      const workflow = found.is === 'read' ? workflowObject(found.workflow) : null;
      if (!apply) return { applied: false, ...planInit(tree), workflow };
      await requireUnused(ports, join(repo, STATE_DIR));
      makeStateDirectory(repo);
      return withLock(repo, () => {
        const before = readLocked(repo);
        requireWorkflow(before);
        const plans = planInit(before);
        const [evict, cleanup] = applyPlans(
          repo,
          [
            [plans.evict, 'evict'],
            [plans.cleanup, 'cleanup'],
          ],
          now(),
        ) as [Plan, Plan];
        const stamped = write(repo, before, (values) => changesOfInit(values, { type, task }, stamp()));
        return { applied: true, evict, cleanup, workflow: stamped };
      });
    },
    'state.read': ({ repo, key }) => {
      const tree = read(repo, [{ path: WORKFLOW_FILE }]);
      if (findWorkflow(tree).is === 'missing')
        throw contractNotFound('workflow', `There is no ${WORKFLOW_FILE} in ${repo}.`);
      const workflow = requireWorkflow(tree);
      return key === undefined ? workflowObject(workflow) : (workflow.values.get(key) ?? null);
    },
    'state.update': async ({ repo, pairs }) => {
      const given = readPairs(pairs);
      requireRepository(repo);
      await requireUnused(ports, join(repo, STATE_DIR));
      // Refuse before a directory or a lock is made.
      const refuse = (tree: TreeSnapshot) => changesOfUpdate(requireWorkflow(tree).values, given, stamp());
      refuse(readTree(repo, WANTED_FOR_PLANS, now()));
      makeStateDirectory(repo);
      return withLock(repo, () => write(repo, readLocked(repo), (values) => changesOfUpdate(values, given, stamp())));
    },
    'state.sidecar': ({ repo, name }) => {
      requireSidecarRule(name);
      const tree = read(repo, [...WANTED_NAMES, { path: `${STATE_DIR}/${name}` }]);
      return checkSidecar(tree, name, requireSidecarRule(name, contractInForce(tree).contract));
    },
    'state.history': ({ repo, limit }) => listSnapshots(read(repo, WANTED_HISTORY)).slice(0, limit),
    'state.references': ({ repo, files }) => {
      const paths = files.map((file) => pathInside(repo, file));
      const tree = read(repo, [...WANTED_NAMES, ...paths.map((path) => ({ path }))]);
      const texts = paths.map((path) => ({ file: path, text: requireText(tree, path) }));
      return checkReferences(texts, contractInForce(tree).contract);
    },
    'state.classify': ({ repo, names, lane }) => {
      const tree = read(repo, WANTED_NAMES);
      if (lane !== undefined) return { lane, slug: laneSlug(lane), file: laneFile(laneSlug(lane)) };
      const { contract } = contractInForce(tree);
      return names.map((name) => {
        return { name, bucket: classifyName(name, contract), resetExempt: isResetExempt(name, contract) };
      });
    },
  };
}

/** A file argument, relative to the repository. */
function pathInside(repo: string, file: string): string {
  const path = relative(repo, resolve(repo, file));
  if (path !== '' && !path.startsWith('..') && !isAbsolute(path)) return path;
  throw new DevflowError('usage', `${file} is no file below ${repo}.`);
}

function requireText(tree: TreeSnapshot, path: string): string {
  const file = textOf(tree, path);
  if (file.ok) return file.text;
  if (file.isMissing)
    throw new DevflowError('not_found', `There is no file ${path}.`, {
      recoveryHint: 'Name a file of the repository.',
    });
  throw new DevflowError('path_unsafe', `devflow cannot read ${path}: ${file.reason}.`);
}
