import type { ContractPart } from '../report/part.ts';
import { validateCycle } from './check/checkCycle.ts';
import { CYCLE_CONTRACT, CYCLE_STATES, cycleIds, idOf, statePath } from './state/cyclePaths.ts';

export const cyclePart: ContractPart = {
  wanted: [CYCLE_STATES],
  detect: (tree) => cycleIds(tree).map((id) => ({ contract: CYCLE_CONTRACT, path: statePath(id) })),
  check: (tree, path, mode) => {
    const id = idOf(path);
    return id === undefined ? [] : [validateCycle(tree, id, { mode, subject: path })];
  },
};
