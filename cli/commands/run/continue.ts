import { randomUUID } from 'node:crypto';
import { runState } from '../../../schemas/states/run.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Action } from '../../define/command.ts';
import type { RUN } from '../../define/run.ts';
import { onlyRun } from '../../input/onlyOne.ts';
import { readExtra } from '../../input/readExtra.ts';
import { areGiven, readRequirements } from '../../input/requirements.ts';
import { printJson } from '../../print/output.ts';
import { printContinuePlan } from '../../print/run/dryRun.ts';
import { shortId } from '../../print/text.ts';

export const action: Action<typeof RUN.continue> = async (params, options, io) => {
  const { run, json } = options;
  const requirements = areGiven(options) ? await readRequirements(io, options) : undefined;
  const extra = await readExtra(io, options);
  return withDaemon(io, async (client) => {
    const runId = run ?? (await onlyRun(io, client, 'any'));
    const answer = await client.call('run.continue', {
      ...params,
      runId,
      ...(requirements === undefined ? {} : { requirements }),
      ...(extra === undefined ? {} : { extra }),
      clientToken: randomUUID(),
    });
    if (json) printJson(io, answer);
    else if ('dryRun' in answer) printContinuePlan(io, answer);
    else
      io.out(
        `${answer.template} follows in run ${shortId(answer.runId)}. Its state is ${runState({ state: answer.state }).word}.\n`,
      );
    return 0;
  });
};
