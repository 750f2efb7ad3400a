import { basename } from 'node:path';
import { isTerminal, type NewsKind, type RunState } from '../../../schemas/enums.ts';
import { gateFacts } from '../../../schemas/gates/gateKinds.ts';
import { gateName } from '../../../schemas/gates/gateWords.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import { needsPerson, stallState } from '../../../schemas/states/stall.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { doubtCommand, doubtSentence } from '../../core/messages/doubt.ts';
import { gatesOfPerson } from '../../core/rules/rulesAt.ts';
import type { Message } from '../../core/run/message.ts';
import { isStalled, type StalledSession } from '../../core/run/query.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import { runTitle } from '../../core/run/title.ts';
import { maskSecrets } from '../../sessions/transcript/maskSecrets.ts';

/** One thing that devflow tells a person outside of its own screens. */
export interface News {
  kind: NewsKind;
  /** Consists of facts, so the same news has the same id on every daemon and after every restart. */
  key: string;
  /** When it became so; null: the log does not say. */
  since: string | null;
  title: string;
  /** One sentence without anything that an agent wrote or read. */
  text: string;
  /** The command that shows more. */
  how?: string;
  run?: { id: string; repo: string; state: RunState };
}

/** All that a run has to tell now. It depends on the run alone, so a daemon that was killed can tell it later. */
export function newsOf(run: Run): News[] {
  const about = aboutOf(run);
  const gates = gatesOfPerson(run);
  const stalled = run.sessions.filter(isStalled).filter(({ stall }) => needsPerson(stall.cause));
  return [
    ...(isTerminal(run.state) ? [{ ...about, ...ofEnd(run) }] : []),
    ...gates.map((gate) => ({ ...about, ...ofGate(gate) })),
    ...stalled.filter((each) => !isAsked(run, gates, each)).map((each) => ({ ...about, ...ofStall(each) })),
    ...run.messages.filter(({ state }) => state === 'uncertain').map((each) => ({ ...about, ...ofDoubt(run, each) })),
  ];
}

/** What a queued run has to tell that comes after one which did not end well. The run itself does not know. */
export function heldNews(run: Run): News {
  const { id, after } = run;
  const text = 'It does not begin, because the run that comes first did not end well.';
  const how = `devflow run move ${id.slice(0, 8)} --release`;
  return { ...aboutOf(run), kind: 'queue', key: `held:${id}:${after}`, since: null, text, how };
}

function aboutOf(run: Run): Pick<News, 'title'> & Required<Pick<News, 'run'>> {
  const { id, state } = run;
  const repo = basename(run.repoPath);
  return { title: `devflow: ${repo} ${id.slice(0, 8)}: ${maskedTitle(run)}`, run: { id, repo, state } };
}

/** A secret that a title cuts would no longer be known as one. So the text is masked before. */
function maskedTitle(run: Run): string {
  const said = run.messages.find(({ by }) => by !== 'devflow')?.text;
  const isSaid = run.title === null && said !== undefined && run.agentTitle === titleOf(said);
  return isSaid ? titleOf(maskSecrets(said)) : runTitle({ ...run, requirementsMd: maskSecrets(run.requirementsMd) });
}

type Own = Omit<News, 'title' | 'run'>;

function ofEnd({ id, state, endedAt }: Run): Own {
  const text = `The run ${state === 'aborted' ? 'was aborted' : state}.`;
  return { kind: 'run_ended', key: `ended:${id}`, since: endedAt, text, how: `devflow run show ${id.slice(0, 8)}` };
}

function ofGate(gate: Approval): Own {
  const { id, createdAt } = gate;
  return {
    // Of the gates that hold a run, only that of an ended turn closes by itself.
    kind: gateFacts(gate).closesItself ? 'turn' : 'decision',
    key: `gate:${id}`,
    since: createdAt,
    text: `${gateName(gate)} waits for your decision.`,
    how: `devflow approval show ${id.slice(0, 8)}`,
  };
}

/** The words of the stall alone: its detail is what the agent shows. */
function ofStall(session: StalledSession): Own {
  const { id, backend, stall } = session;
  return {
    kind: stall.cause === 'turn_over' ? 'turn' : 'agent',
    key: `stall:${id}:${stall.since}`,
    since: stall.since,
    text: `${agentName(session)} (${backend}) ${stallState(stall.cause).word}.`,
    how: `devflow attach ${id.slice(0, 8)}`,
  };
}

function ofDoubt(run: Run, message: Message): Own {
  const key = `message:${message.id}:${message.doubts}`;
  return { kind: 'message', key, since: null, text: doubtSentence(run, message), how: doubtCommand(message) };
}

/** True if a gate asks about the same agent: one thing to do is one piece of news. */
function isAsked({ phases }: Run, gates: readonly Approval[], { id }: StalledSession): boolean {
  return gates.some(({ phaseId, assignment }) =>
    phases
      .find((phase) => phase.id === phaseId)
      ?.assignments.some(({ key, sessionId }) => key === assignment && sessionId === id),
  );
}
