import type { ContractPart } from '../report/part.ts';
import { auditState } from './audit.ts';
import { STATE_DIR } from './contract.ts';
import { contractInForce } from './contractInForce.ts';
import { validateState, WANTED_CONTENTS } from './validate.ts';

export const stateDirectoryPart: ContractPart = {
  wanted: WANTED_CONTENTS,
  detect: (tree) =>
    tree.entries.get(STATE_DIR)?.kind === 'dir'
      ? [{ contract: contractInForce(tree).contract.id, path: STATE_DIR }]
      : [],
  check: (tree, _path, mode, isAlive) => [auditState(tree, { mode }), validateState(tree, isAlive)],
};
