import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { validateCycle } from '../../../schemas/contracts/cycle/check/checkCycle.ts';
import { requireReadable, requireState } from '../../../schemas/contracts/cycle/check/requireState.ts';
import { evolveNew } from '../../../schemas/contracts/cycle/evolve/evolve.ts';
import {
  completeCycle,
  extendCycle,
  failCycle,
  pauseCycle,
  resumeCycle,
} from '../../../schemas/contracts/cycle/evolve/lifecycle.ts';
import { readEvent } from '../../../schemas/contracts/cycle/evolve/readEvent.ts';
import { syncReport } from '../../../schemas/contracts/cycle/rebuild/sync.ts';
import { makeCycleId, requireCycleId } from '../../../schemas/contracts/cycle/state/cycleId.ts';
import {
  CYCLE_CONTRACT,
  CYCLE_NAMES,
  CYCLES,
  cycleIds,
  statePath,
} from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { type CycleState, controlSignal } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import { newCycle } from '../../../schemas/contracts/cycle/state/newCycle.ts';
import { type ContractPorts, requireRepository, requireUnused } from '../../contracts/contractPorts.ts';
import { changeCycle, createCycle, readCycleTree, repairCycle } from '../../contracts/cycles/cycleFiles.ts';
import { applyRebuild, rebuildReport } from '../../contracts/cycles/rebuildCycle.ts';
import { readTree } from '../../contracts/readTree.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

interface CycleName {
  repo: string;
  id: string;
}

/** Cycles of a repository. Nothing is remembered between two calls. */
export function createCycleMethods(ports: ContractPorts): HandlersOf<'cycle'> {
  /** The tree with the state of a cycle. */
  const read = ({ repo, id }: CycleName) => {
    requireCycleId(id);
    requireRepository(repo);
    return readTree(repo, [{ path: statePath(id) }], ports.now());
  };
  const requireFree = async (repo: string) => {
    requireRepository(repo);
    await requireUnused(ports, join(repo, CYCLES));
  };
  const change = async ({ repo, id }: CycleName, make: (state: CycleState, now: number) => CycleState) => {
    requireCycleId(id);
    await requireFree(repo);
    return changeCycle(repo, id, (state) => make(state, ports.now()));
  };
  const move = async (cycle: CycleName, make: (state: CycleState, now: number) => CycleState) => {
    return (await change(cycle, make)).state;
  };
  return {
    'cycle.new': async ({ repo, id, ...wanted }) => {
      const now = ports.now();
      const state = newCycle({ ...wanted, id: id ?? makeCycleId(now, randomBytes(16)) }, now);
      await requireFree(repo);
      return createCycle(repo, state);
    },
    'cycle.list': ({ repo }) => {
      requireRepository(repo);
      return cycleIds(readTree(repo, [CYCLE_NAMES], ports.now()));
    },
    'cycle.show': (cycle) => requireReadable(read(cycle), cycle.id),
    'cycle.validate': ({ mode, ...cycle }) => validateCycle(read(cycle), cycle.id, { mode }),
    'cycle.control': (cycle) => {
      const { status } = requireReadable(read(cycle), cycle.id);
      const shown = typeof status === 'string' ? status : null;
      return { cycleId: cycle.id, status: shown, ...controlSignal({ status }) };
    },
    'cycle.pause': (cycle) => move(cycle, pauseCycle),
    'cycle.resume': (cycle) => move(cycle, resumeCycle),
    'cycle.fail': ({ reason, ...cycle }) => move(cycle, (state, now) => failCycle(state, reason, now)),
    'cycle.complete': (cycle) => move(cycle, completeCycle),
    'cycle.extend': ({ task, maxIterations, ...cycle }) =>
      move(cycle, (state, now) => extendCycle(state, { task, maxIterations }, now)),
    'cycle.apply': async ({ event, ...cycle }) => {
      const given = readEvent(event);
      const { state, files } = await change(cycle, (before, now) => evolveNew(before, given, now));
      return { contract: CYCLE_CONTRACT, subject: cycle.id, state, files };
    },
    'cycle.rebuild': async ({ repo, id, apply = false, force = false }) => {
      requireCycleId(id);
      requireRepository(repo);
      if (!apply) return rebuildReport(repo, id, ports.now());
      await requireFree(repo);
      return applyRebuild(repo, id, { force, now: ports.now() });
    },
    'cycle.sync': async ({ apply = false, ...cycle }) => {
      read(cycle);
      if (apply) {
        await requireFree(cycle.repo);
        return repairCycle(cycle.repo, cycle.id, ports.now());
      }
      const tree = readCycleTree(cycle.repo, cycle.id, ports.now());
      return syncReport(tree, requireState(tree, cycle.id));
    },
  };
}
