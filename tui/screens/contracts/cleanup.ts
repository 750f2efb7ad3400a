import { STATE_DIR } from '../../../schemas/contracts/stateDirectory/contract.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { lacksStateDirectory } from './shownContracts.ts';

type Plan = RpcResult<'state.cleanup'>;

const PLANNING = 'planning the cleanup';
const CLEANING = 'cleaning up';

/** Plans a cleanup of the state directory. Only the answer to the question carries it out. */
export const cleanupBinding: Binding = {
  id: 'contracts.cleanup',
  keys: ['c'],
  label: 'clean up',
  footer: true,
  help: 'Show what a cleanup of the state directory would archive, then ask whether to do it',
  disabled(model) {
    if (model.link.state === 'away') return 'the daemon is not running';
    return model.busy.includes(PLANNING) || model.busy.includes(CLEANING)
      ? 'a cleanup is going on'
      : lacksStateDirectory(model);
  },
  run: (model) =>
    step(model, call('state.cleanup', { repo: model.cwd, apply: false }, { doing: PLANNING, then: askFor(model.cwd) })),
};

function askFor(repo: string) {
  return (model: Model, { actions }: Plan): Step => {
    if (actions.length === 0) return step(toast(model, 'good', `There is nothing to clean up in ${STATE_DIR}.`));
    const apply = call('state.cleanup', { repo, apply: true }, { doing: CLEANING, then: tellOf });
    return step({
      ...model,
      overlay: {
        kind: 'confirm',
        question: `Archive ${counted(actions.length, 'entry', 'entries')} of ${STATE_DIR}?`,
        detail: `A new snapshot in ${STATE_DIR}/.archive takes what is listed. The oldest snapshots beyond the limit are removed.`,
        list: actions.map(({ path, reason }) =>
          line(path.slice(STATE_DIR.length + 1), span(`  ${reason.replaceAll('_', ' ')}`, theme.muted)),
        ),
        top: 0,
        yes: 'y',
        label: 'archive',
        then: (sure) => step(sure, apply),
      },
    });
  };
}

function tellOf(model: Model, { actions, archivePath }: Plan): Step {
  const failed = actions.filter(({ status }) => status === 'error').length;
  const done = counted(actions.length - failed, 'entry', 'entries');
  const where = archivePath === null ? '' : ` in ${archivePath}`;
  if (failed === 0) return step(toast(model, 'good', `Archived ${done}${where}.`));
  return step(toast(model, 'bad', `Archived ${done}${where}; ${failed} could not be moved.`));
}
