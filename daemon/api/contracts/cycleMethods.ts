import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { requireReadable, requireState } from '../../../schemas/contracts/cycle/check/requireState.ts';
import { validateCycle } from '../../../schemas/contracts/cycle/check/validateCycle.ts';
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
import { controlSignal } from '../../../schemas/contracts/cycle/state/controlSignal.ts';
import { makeCycleId, requireCycleId } from '../../../schemas/contracts/cycle/state/cycleId.ts';
import {
  CYCLE_CONTRACT,
  CYCLE_NAMES,
  CYCLES,
  cycleIds,
  statePath,
} from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import type { CycleState } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import { newCycle } from '../../../schemas/contracts/cycle/state/newCycle.ts';
import { type ContractPorts, requireRepository, requireUnused } from '../../contracts/contractPorts.ts';
import { changeCycle, createCycle, readCycleTree, repairCycle } from '../../contracts/cycles/cycleFiles.ts';
import { applyRebuild, rebuildReport } from '../../contracts/cycles/rebuildCycle.ts';
import { readTree } from '../../contracts/readTree.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

interface Place {
  repo: string;
  id: string;
}

/** Cycles of a repository. Nothing is remembered between two calls. */
export function createCycleMethods(ports: ContractPorts): HandlersOf<'cycle'> {
  /** The tree with the state of a cycle. */
  const read = ({ repo, id }: Place) => {
    requireCycleId(id);
    requireRepository(repo);
    return readTree(repo, [{ path: statePath(id) }], ports.now());
  };
  const requireFree = async (repo: string) => {
    requireRepository(repo);
    await requireUnused(ports, join(repo, CYCLES));
  };
  const change = async ({ repo, id }: Place, make: (state: CycleState, now: number) => CycleState) => {
    requireCycleId(id);
    await requireFree(repo);
    return changeCycle(repo, id, (state) => make(state, ports.now()));
  };
  const move = async (place: Place, make: (state: CycleState, now: number) => CycleState) => {
    return (await change(place, make)).state;
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
    'cycle.show': (place) => requireReadable(read(place), place.id),
    'cycle.validate': ({ mode, ...place }) => validateCycle(read(place), place.id, { mode }),
    'cycle.control': (place) => {
      const { status } = requireReadable(read(place), place.id);
      const shown = typeof status === 'string' ? status : null;
      return { cycleId: place.id, status: shown, ...controlSignal({ status }) };
    },
    'cycle.pause': (place) => move(place, pauseCycle),
    'cycle.resume': (place) => move(place, resumeCycle),
    'cycle.fail': ({ reason, ...place }) => move(place, (state, now) => failCycle(state, reason, now)),
    'cycle.complete': (place) => move(place, completeCycle),
    'cycle.extend': ({ task, maxIterations, ...place }) =>
      move(place, (state, now) => extendCycle(state, { task, maxIterations }, now)),
    'cycle.apply': async ({ event, ...place }) => {
      const given = readEvent(event);
      const { state, files } = await change(place, (before, now) => evolveNew(before, given, now));
      return { contract: CYCLE_CONTRACT, subject: place.id, state, files };
    },
    'cycle.rebuild': async ({ repo, id, apply = false, force = false }) => {
      requireCycleId(id);
      requireRepository(repo);
      if (!apply) return rebuildReport(repo, id, ports.now());
      await requireFree(repo);
      return applyRebuild(repo, id, { force, now: ports.now() });
    },
    'cycle.sync': async ({ apply = false, ...place }) => {
      read(place);
      if (apply) {
        await requireFree(place.repo);
        return repairCycle(place.repo, place.id, ports.now());
      }
      const tree = readCycleTree(place.repo, place.id, ports.now());
      return syncReport(tree, requireState(tree, place.id));
    },
  };
}
