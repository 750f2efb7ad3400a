import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type { PhaseView, RunDetail } from '../../../schemas/rpc/views/run.ts';
import { MESSAGE_STATES } from '../../../schemas/states/message.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { type Model, step } from '../../model/model.ts';
import { goTo, screenState } from '../../model/place.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { gateName, gateSign, gateWord } from '../../text/runWords.ts';
import { sessionStateWord, stallWords, waitsForPerson } from '../../text/sessionWords.ts';
import { theme } from '../../text/theme.ts';
import { clock } from '../../text/time.ts';
import { createHeadedList, type HeadedListState, type HeadedRow } from '../../widgets/headedList.ts';
import { markdownLines } from '../../widgets/markdown.ts';
import { timelineRow } from '../../widgets/timeline.ts';
import { targetsOfArtifact, targetsOfGate, targetsOfSession } from '../targets/targetsOf.ts';
import type { RunSection } from './runSection.ts';
import { runState, sectionSize, shownRun } from './shownRun.ts';

const list = createHeadedList({
  name: 'run.overview',
  state: screenState<HeadedListState>('run overview', {}),
  rows(model) {
    const run = shownRun(model);
    return run ? overviewRows(run, model, sectionSize(model).columns) : [];
  },
  height: (model) => sectionSize(model).rows,
});

/** The run on one page. Enter opens the selected row. */
export const overview: RunSection = {
  id: 'overview',
  title: 'Overview',
  bindings: list.bindings,
  view: (model, _run, size) => list.view(model, size),
  onMouse: list.onMouse,
  targets(model, run) {
    const [kind, id = ''] = list.selected(model)?.split(' ') ?? [];
    if (kind === 'gate') return targetsOfGate(run.approvals.find((gate) => gate.id === id));
    if (kind === 'session') return targetsOfSession(run.sessions.find(({ sessionId }) => sessionId === id));
    const made = kind === 'phase' ? newestArtifact(run, id) : undefined;
    return targetsOfArtifact(run.artifacts.find(({ artifactId }) => artifactId === made?.id));
  },
  session: (model) => selectedOf(model, 'session'),
  gate(model, run) {
    const selected = selectedOf(model, 'gate');
    return run.approvals.find(({ id, state }) => id === selected && state === 'pending')?.id;
  },
  open(model, run) {
    const [kind, id = ''] = list.selected(model)?.split(' ') ?? [];
    if (kind === 'gate') return step(goTo(model, { screen: 'approval', id }));
    if (kind === 'session') return step(goTo(model, { screen: 'session', id }));
    if (kind === 'phase' && newestArtifact(run, id))
      return step(runState.set(model, { opened: newestArtifact(run, id) }));
    return 'this row has nothing to open';
  },
};

function selectedOf(model: Model, wanted: 'session' | 'gate'): string | undefined {
  const [kind, id] = list.selected(model)?.split(' ') ?? [];
  return kind === wanted ? id : undefined;
}

function newestArtifact(run: RunDetail, phaseKey: string) {
  const found = run.artifacts.findLast((each) => each.phaseKey === phaseKey);
  return found && { kind: 'artifact' as const, id: found.artifactId };
}

const TITLE_FROM = 110;

/** Items that wait for a person come first. */
function overviewRows(run: RunDetail, { now }: Model, columns: number): HeadedRow[] {
  // The questions of agents stand beside their roles.
  const gates = run.approvals.filter(blocksRun);
  const waiting = gates.filter(({ state }) => state === 'pending');
  const decided = gates.filter(({ state }) => state !== 'pending');
  return [
    ...group(
      'Waiting for you',
      waiting.map((gate) => gateRow(gate, now)),
    ),
    ...group(
      'Phases',
      run.phases.map((phase) => phaseRow(phase, run, now, columns)),
    ),
    ...group('Roles', roleRows(run, now, columns)),
    ...group(
      'Decided',
      decided.map((gate) => gateRow(gate, now)),
    ),
    ...group('Requirements', requirements(run, columns)),
  ];
}

function group(title: string, rows: readonly HeadedRow[]): HeadedRow[] {
  return rows.length === 0 ? [] : [{ line: line(span(title, theme.title)) }, ...rows, { line: EMPTY }];
}

function gateRow(gate: RunDetail['approvals'][number], now: number): HeadedRow {
  const attempt = gate.attempt > 1 ? span(`  attempt ${gate.attempt}`, theme.muted) : undefined;
  const when = span(`  ${clock(gate.resolvedAt ?? gate.createdAt, now)}`, theme.muted);
  return {
    key: `gate ${gate.id}`,
    line: line('  ', ...fitWidth(gateWord(gate), 17), gateName(gate), attempt, when),
  };
}

function phaseRow(phase: PhaseView, run: RunDetail, now: number, columns: number): HeadedRow {
  const gates = phase.gates.map((gateKey) => {
    const gate = run.approvals.findLast((each) => each.gateKey === gateKey && each.phaseKey === phase.key);
    const { text: sign, style } = gate ? gateSign(gate) : span('·', theme.muted);
    return span(` ${sign} ${gateKey}`, style);
  });
  // If there is no room for both, the state of the gates says more than the title.
  const shown = columns < TITLE_FROM && gates.length > 0 ? { ...phase, title: phase.key } : phase;
  return {
    key: `phase ${phase.key}`,
    line: line('  ', ...timelineRow(shown, run.phases, now, columns - 3), gates.length > 0 && ' ', ...gates),
  };
}

function roleRows(run: RunDetail, now: number, columns: number): HeadedRow[] {
  const names = [...run.bindings.map(({ roleId }) => roleId), ...run.sessions.map(agentName)];
  const width = Math.min(24, Math.max(8, ...names.map((name) => name.length))) + 2;
  return run.bindings.flatMap((binding): HeadedRow[] => {
    const sessions = run.sessions.filter(({ roleId }) => roleId === binding.roleId);
    const role = (name: string): Line => fitWidth(line(name), width);
    const persona = fitWidth(line(binding.persona, span(` ${binding.backend}`, theme.muted)), columns < 110 ? 27 : 34);
    const why = span(` may ${binding.permissionMode}; ${binding.reason}`, theme.muted);
    const state = (word: Line): Line => fitWidth(word, 12);
    if (sessions.length === 0) {
      const none = state(line(span('· none', theme.muted)));
      return [{ key: `role ${binding.roleId}`, line: line('  ', ...role(binding.roleId), ...none, ...persona, why) }];
    }
    return sessions.flatMap((session): HeadedRow[] => [
      {
        key: `session ${session.sessionId}`,
        line: line('  ', ...role(agentName(session)), ...state(sessionStateWord(session.state)), ...persona, why),
      },
      ...waitingRows(session, width),
      ...(session.stall ? stallRows(session.stall, width, now, columns) : []),
    ]);
  });
}

function waitingRows({ messages }: RunDetail['sessions'][number], width: number): HeadedRow[] {
  const { sign } = MESSAGE_STATES.queued;
  if (!messages) return [];
  return [
    {
      line: line(
        ' '.repeat(width + 2),
        span(`${sign} ${counted(messages, 'message waits', 'messages wait')}`, theme.accent),
      ),
    },
  ];
}

function stallRows(
  stall: NonNullable<RunDetail['sessions'][number]['stall']>,
  width: number,
  now: number,
  columns: number,
) {
  const look = waitsForPerson(stall) ? theme.warn : theme.muted;
  return wrap(stallWords(stall, now), columns - width - 6, look).map((each) => ({
    line: line(' '.repeat(width + 2), ...each),
  }));
}

const asked = memoize((run: RunDetail, columns) => markdownLines(run.requirements, Number(columns)));

function requirements(run: RunDetail, columns: number): HeadedRow[] {
  return asked(run, String(columns - 4)).map((each, nth) => ({ key: `line ${nth}`, line: line('  ', ...each) }));
}
