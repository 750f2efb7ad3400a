import { autodevPart } from './autodev/autodevPart.ts';
import { validateCycle } from './cycle/check/checkCycle.ts';
import { CYCLE_CONTRACT, CYCLE_STATES, cycleIds, idOf, statePath } from './cycle/state/cyclePaths.ts';
import { handoverPart } from './handover/handoverPart.ts';
import type { ContractPart } from './report/report.ts';
import type { Wanted } from './report/tree.ts';
import { auditState } from './stateDirectory/audit.ts';
import { STATE_DIR } from './stateDirectory/contract.ts';
import { contractInForce } from './stateDirectory/contractInForce.ts';
import { validateState, WANTED_CONTENTS } from './stateDirectory/validate.ts';

export const stateDirectoryPart: ContractPart = {
  wanted: WANTED_CONTENTS,
  detect: (tree) =>
    tree.entries.get(STATE_DIR)?.kind === 'dir'
      ? [{ contract: contractInForce(tree).contract.id, path: STATE_DIR }]
      : [],
  check: (tree, _path, mode, isAlive) => [auditState(tree, { mode }), validateState(tree, isAlive)],
};

export const cyclePart: ContractPart = {
  wanted: [CYCLE_STATES],
  detect: (tree) => cycleIds(tree).map((id) => ({ contract: CYCLE_CONTRACT, path: statePath(id) })),
  check: (tree, path, mode) => {
    const id = idOf(path);
    return id === undefined ? [] : [validateCycle(tree, id, { mode, subject: path })];
  },
};

/** Every family, in the order in which they are shown. */
export const PARTS: readonly ContractPart[] = [stateDirectoryPart, handoverPart, autodevPart, cyclePart];

/** Everything that detection and checks read. */
export const WANTED_OF_ALL: readonly Wanted[] = PARTS.flatMap(({ wanted }) => wanted);
