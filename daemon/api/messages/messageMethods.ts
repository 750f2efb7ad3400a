import { DevflowError } from '../../../schemas/errors.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { MessageView } from '../../../schemas/rpc/views/message.ts';
import { isMeasured } from '../../core/objective/measuring.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { Lists } from '../../store/lists.ts';
import { getRun, type Ids } from '../lookup/ids.ts';
import { messageViews } from './messageView.ts';
import { type Named, recipientNamed, recipientsOfRun } from './recipientNamed.ts';

export interface MessageParts {
  ids: Pick<Ids, 'run' | 'session'>;
  engine: Pick<RunEngine, 'readRun' | 'openRuns' | 'queueMessage' | 'withdrawMessage' | 'settleMessage'>;
  lists: Pick<Lists, 'runOf'>;
}

export function createMessageMethods({ ids, engine, lists }: MessageParts): HandlersOf<'message'> {
  const runOfSession = (sessionId: string) => lists.runOf('session', sessionId);

  async function recipients(params: { target?: string; runId?: string; role?: string; lane?: string }): Promise<Named> {
    const { target, runId, ...only } = params;
    if ((target === undefined) === (runId === undefined))
      throw new DevflowError('usage', 'Name either a target or a run.');
    if (target !== undefined) return recipientNamed(target, { ids, engine, runOfSession });
    const run = await getRun(engine, await ids.run(runId ?? ''));
    return { run, recipients: recipientsOfRun(run, only) };
  }

  /** The message with this prefix: of the run, else of an open run of this host. */
  async function find(prefix: string, runRef: string | undefined): Promise<{ runId: string; messageId: string }> {
    const runs = runRef === undefined ? engine.openRuns() : [await getRun(engine, await ids.run(runRef))];
    const hits = runs.flatMap((run) =>
      run.messages.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => ({ runId: run.id, messageId: id })),
    );
    const [hit, ...others] = hits;
    if (!hit) throw new DevflowError('not_found', `There is no message ${prefix}.`, { recoveryHint: LIST_HINT });
    if (others.length > 0) {
      const candidates = hits.map(({ messageId }) => messageId);
      throw new DevflowError('ambiguous_id', `${prefix} begins the ids of several messages.`, { data: { candidates } });
    }
    return hit;
  }

  return {
    'message.send': async ({ text, now, via, clientToken, ...to }) => {
      if (now) throw notNow();
      const { run, recipients: found } = await recipients(to);
      const ids = found.map(({ sessionId }) => ({
        sessionId,
        // One token for several agents: each has a message of its own.
        messageId: derivedId('message', sessionId, clientToken),
      }));
      let after = run;
      for (const each of ids) after = await engine.queueMessage(run.id, { ...each, text, by: via });
      const sent = new Set(ids.map(({ messageId }) => messageId));
      return messageViews(after).filter(({ messageId }) => sent.has(messageId));
    },
    'message.list': async ({ runId: runRef, sessionId: sessionRef, state }) => {
      const sessionId = sessionRef === undefined ? undefined : await ids.session(sessionRef);
      const ofSession = sessionId === undefined ? undefined : await runOfSession(sessionId);
      const runId = runRef === undefined ? ofSession : await ids.run(runRef);
      const runs = runId === undefined ? engine.openRuns() : [await getRun(engine, runId)];
      // Who names a run or a session is checked. A list of all shows nothing of a run that keeps something from agents.
      const shown = runId === undefined ? runs.filter((run) => !isMeasured(run)) : runs;
      return shown
        .flatMap(messageViews)
        .filter((each) => sessionId === undefined || each.sessionId === sessionId)
        .filter((each) => state === undefined || each.state === state)
        .sort((a, b) => a.at.localeCompare(b.at));
    },
    'message.withdraw': async ({ messageId: prefix, runId: runRef }) => {
      const { runId, messageId } = await find(prefix, runRef);
      return viewOf(await engine.withdrawMessage(runId, messageId), messageId);
    },
    'message.settle': async ({ messageId: prefix, runId: runRef, taken, clientToken }) => {
      const { runId, messageId } = await find(prefix, runRef);
      return viewOf(await engine.settleMessage(runId, { messageId, taken, clientToken }), messageId);
    },
  };
}

const LIST_HINT = 'See devflow message list. If its run has ended or is on another host, add --run <run>.';

/** docs/backends.md says what was measured, and what is missing. */
function notNow(): DevflowError {
  const message =
    'No agent program is proven to hold a text that is typed during its turn, so --now could lose it or send it twice.';
  const recoveryHint = 'Leave --now out: the text waits for the end of the turn. Or type it yourself: devflow attach.';
  return new DevflowError('usage', message, { recoveryHint });
}

function viewOf(run: Run, messageId: string): MessageView {
  const found = messageViews(run).find((each) => each.messageId === messageId);
  if (found) return found;
  throw new DevflowError('internal', `The message ${messageId} is not in run ${run.id}.`);
}
