import { defined } from '../../../schemas/defined.ts';
import type { ParsedParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Run } from '../../core/run/state.ts';
import type { PrepareContinue, PreparedContinue } from '../../engine/local/prepareContinue.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { phasesOfTemplate } from './dryRun.ts';
import { bindingView } from './runDetail.ts';
import { overridesOf } from './startRequestOf.ts';

type Request = Omit<ParsedParams<'run.continue'>, 'runId'>;

export interface ContinueParts {
  engine: Pick<RunEngine, 'continueRun'>;
  prepareContinue: PrepareContinue;
}

/** Lets another template follow in a run, or previews that. */
export async function continueRun(
  run: Run,
  { bind, backend, dryRun, clientToken, now, shown, ...request }: Request,
  { engine, prepareContinue }: ContinueParts,
): Promise<RpcResult<'run.continue'>> {
  const runId = run.id;
  const isDone = run.continued?.clientToken === clientToken;
  if (!isDone) {
    const prepared = await prepareContinue(run, { ...request, overrides: overridesOf(bind, backend) });
    if (dryRun) return planOf(run, prepared);
    run = await engine.continueRun(runId, {
      ...prepared.signal,
      clientToken,
      now,
      ...defined({ shown }),
    });
  }
  const { template, state } = run;
  return { runId, state, changed: !isDone, template: `${template.name}@${template.version}` };
}

function planOf(run: Run, { signal }: PreparedContinue): RpcResult<'run.continue'> {
  const { template, templateHash, bindings, extra } = signal;
  const goOn = run.bindings.filter(({ role }) => template.roles.some(({ id }) => id === role));
  return {
    dryRun: true,
    runId: run.id,
    template: `${template.name}@${template.version}`,
    templateHash,
    bindings: [
      ...goOn.map((each) => ({ ...bindingView(each), fresh: false })),
      ...bindings.map((each) => ({ ...bindingView(each), fresh: true })),
    ],
    phases: phasesOfTemplate(template, extra ?? {}),
  };
}
