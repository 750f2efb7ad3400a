import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../daemon/contracts/applyPlan.ts';
import { readTree } from '../../../daemon/contracts/readTree.ts';
import { planReset } from '../../../schemas/contracts/stateDirectory/plans.ts';
import { WANTED_NAMES } from '../../../schemas/contracts/stateDirectory/stateEntries.ts';

/** Applies a plan, and ends at once, without any cleaning up, before the action with this number. */
const [repo = '', killBefore = '0'] = process.argv.slice(2);
const plan = planReset(readTree(repo, WANTED_NAMES, 0));
const actions = plan.actions.map((action, index) => ({
  ...action,
  get path() {
    if (index === Number(killBefore)) {
      readdirSync(join(repo, '.devt/state'));
      process.kill(process.pid, 'SIGKILL');
    }
    return action.path;
  },
}));
applyPlan(repo, { ...plan, actions }, 'reset', 0);
