import { shortenPath } from '../../../cli/client/paths.ts';
import { ruleText } from '../../../schemas/gates/ruleText.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { isTerminal } from '../../../schemas/names.ts';
import { rightsWords } from '../../../schemas/repository/rightsWords.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { sandboxWords } from '../../../schemas/sandboxWords.ts';
import { setupSentence } from '../../../schemas/states/setup.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withLocalTimes } from '../../../schemas/time/localTime.ts';
import { clean } from '../../text/clean.ts';
import { elapsed, elapsedChangesAt } from '../../text/elapsed.ts';
import { fitWidth, type Line, line, lineWidth, span, spread, wrap } from '../../text/line.ts';
import { runWord, shortId, waitWords } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { phasesChangeAt } from '../../widgets/timeline.ts';

const MOST_REASON = 2;

/** When a time on the screen next changes, also in the phases and commands below. */
export function runChangesAt(run: RunDetail, now: number): number | undefined {
  const { startedAt, createdAt, endedAt, phases, commands, state } = run;
  if (isTerminal(state)) return ageChangesAt(endedAt, now);
  return earliest([
    elapsedChangesAt(startedAt ?? createdAt, endedAt, now),
    phasesChangeAt(phases, now),
    ...commands.map((each) => elapsedChangesAt(each.startedAt, each.endedAt, now)),
  ]);
}

/** The run and its state, above every section. */
export function runHeader(run: RunDetail, now: number, columns: number): Line[] {
  const took = elapsed(run.startedAt ?? run.createdAt, run.endedAt, now);
  const when = isTerminal(run.state) ? `took ${took}, ended ${age(run.endedAt, now)} ago` : `for ${took}`;
  const muted = (text: string) => span(text, theme.muted);
  const lines = [
    spread(
      line(
        ' ',
        ...runWord(run),
        '  ',
        span(shortId(run.runId), theme.accent),
        '  ',
        span(run.title ?? '', theme.title),
        '  ',
        muted(run.templates?.join(' → ') ?? run.template),
      ),
      line(muted(when), ' '),
      columns,
    ),
    placeLine(run, columns),
    ...setupLines(run).map((each) => line(' ', span(each, theme.muted))),
    ...beginningLines(run),
    ...wallLines(run),
    ...appliedLines(run, now),
    ...(run.waitingFor === null
      ? []
      : wrap(`waiting for ${waitWords(run.waitingFor)}`, columns - 2, run.waitsForPerson ? theme.warn : theme.muted)
          .slice(0, MOST_REASON)
          .map((each) => line(' ', ...each))),
    ...run.alsoWaitsFor.slice(0, MOST_REASON).map((each) => line(' ', muted(`also waiting for ${waitWords(each)}`))),
    ...(run.reason === null
      ? []
      : wrap(withLocalTimes(run.reason), columns - 2, run.state === 'completed' ? theme.muted : theme.bad)
    )
      .slice(0, MOST_REASON)
      .map((each) => line(' ', ...each)),
  ];
  return lines.map((each) => fitWidth(each, columns));
}

/** Where a person brought its work last. */
function appliedLines({ applied = [] }: RunDetail, now: number): Line[] {
  return applied.slice(-1).map(({ target, commit, at }) => {
    const text = `applied to ${clean(target)} at ${commit.slice(0, 12)}, ${age(at, now)} ago`;
    return line(' ', span(text, theme.muted));
  });
}

/** The faults and steps of the worktrees' set-up; a good set-up of `main` otherwise. */
function setupLines({ setups = [], state }: RunDetail): string[] {
  if (isTerminal(state)) return [];
  const special = setups.filter((each) => each.state !== 'done');
  const shown = special.length > 0 ? special : setups.filter(({ laneId }) => laneId === MAIN);
  return shown.slice(0, MOST_REASON).map((each) => clean(`worktree ${setupSentence(each)}`));
}

/** The sandbox around its agents, what they have from the repository, and the rules for its gates. */
function wallLines({ sandbox, wrap: words, agentRights, autoGates = [] }: RunDetail): Line[] {
  const facts = [
    ...(sandbox ? [`sandbox: ${sandboxWords(sandbox)}`] : []),
    ...(words ? [`agents started by ${words.map(shellWord).join(' ')}`] : []),
    ...(agentRights ? [`rights of agents: ${rightsWords(agentRights)}`] : []),
    ...autoGates.map((rule) => `gate rule: ${ruleText(rule)}`),
  ];
  return facts.map((each) => line(' ', span(each, theme.muted)));
}

/** Where it works and what it began with, for a run that is no ordinary one. */
function beginningLines({ here, after, schedule }: RunDetail): Line[] {
  const facts = [
    ...(here ? ['in your checkout'] : []),
    ...(after ? [`starts after run ${shortId(after)}`] : []),
    ...(schedule ? [`started by the schedule ${shortId(schedule.id)}`] : []),
  ];
  return facts.map((each) => line(' ', span(each, theme.muted)));
}

const LEAST_PATH = 14;

/** Repository and branches; a long path is shortened to leave room for the branches. */
function placeLine({ host, repoPath, baseBranch, baseCommit, branch }: RunDetail, columns: number): Line {
  const branches = line(
    ...[span('  from ', theme.muted), `${baseBranch}@${baseCommit.slice(0, 8)}`],
    ...(branch === null ? [] : [span('  on ', theme.muted), branch]),
  );
  const room = Math.max(LEAST_PATH, columns - 1 - lineWidth(branches));
  const where = host === undefined ? '' : `${host}:`;
  return [...line(' ', where, shortenPath(clean(repoPath), room - where.length)), ...branches];
}
