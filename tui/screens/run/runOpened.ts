import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { localTime, zoneAt } from '../../../schemas/time/localTime.ts';
import type { Model, Size } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf, type QueryOf, query } from '../../model/query.ts';
import { elapsed } from '../../text/elapsed.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { fact } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { documentText, rawText } from '../../widgets/pageText.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import { NO_TARGETS, type Targets } from '../targets/targets.ts';
import { filesRoot, targetsOfArtifact, targetsOfCommand, targetsOfFinding } from '../targets/targetsOf.ts';
import { findingLines } from './findingLines.ts';
import { commandOutcome } from './runCommands.ts';
import { eventOf } from './runEvents.ts';
import { findingOf, findingsOf } from './runFindings.ts';
import { handoverLines, handoverOf, targetsOfHandover } from './runHandovers.ts';
import { iterationLines, iterationOf } from './runIterations.ts';
import { type Opened, runState, sectionSize, shownRun } from './shownRun.ts';

/** One item of the run in full, over its section. */
export const openedReader = createReader({
  name: 'run.opened',
  state: screenState('run opened', READER_START),
  lines: openedLines,
  rows: (model) => sectionSize(model).rows - 1,
});

export function openedQueries(opened: Opened | undefined): QueryOf<'artifact.get'>[] {
  return opened?.kind === 'artifact' ? [query('artifact.get', { artifactId: opened.id })] : [];
}

export function openedTargets(model: Model, { kind, id }: Opened): Targets {
  const run = shownRun(model);
  if (kind === 'artifact') return targetsOfArtifact(run?.artifacts.find(({ artifactId }) => artifactId === id));
  if (kind === 'command') return targetsOfCommand(run?.commands.find(({ commandId }) => commandId === id));
  if (kind === 'handover') return targetsOfHandover(handoverOf(run, id), run);
  if (kind === 'finding') return targetsOfFinding(findingOf(model, id), run ? filesRoot(run) : '');
  return NO_TARGETS;
}

export function openedView(model: Model, size: Size): Line[] {
  return openedReader.viewOver(model, titleOf(model), size);
}

function titleOf(model: Model): string {
  const { opened, asWritten } = runState.get(model);
  if (opened?.kind === 'event') return `Event ${opened.id}`;
  if (opened?.kind === 'command') return 'Command';
  if (opened?.kind === 'finding') return 'Finding';
  if (opened?.kind === 'handover') return 'Handover';
  if (opened?.kind === 'iteration') return `Iteration ${opened.id}`;
  return asWritten ? 'Artifact as written' : 'Artifact';
}

function openedLines(model: Model): readonly Line[] {
  const { opened, asWritten } = runState.get(model);
  const columns = sectionSize(model).columns - 2;
  if (!opened) return [];
  switch (opened.kind) {
    case 'event': {
      const event = eventOf(model, Number(opened.id));
      return event ? eventLines(event, String(columns)) : gone();
    }
    case 'command': {
      const command = shownRun(model)?.commands.find(({ commandId }) => commandId === opened.id);
      return command ? commandLines(command, model.now) : gone();
    }
    case 'finding': {
      const finding = findingOf(model, opened.id);
      return finding ? findingLines(finding, findingsOf(model), columns) : gone();
    }
    case 'handover': {
      const handover = handoverOf(shownRun(model), opened.id);
      return handover ? handoverLines(handover, columns) : gone();
    }
    case 'iteration': {
      const iteration = iterationOf(shownRun(model), opened.id);
      return iteration ? iterationLines(iteration, columns, model.now) : gone();
    }
    case 'artifact': {
      const wanted = query('artifact.get', { artifactId: opened.id });
      const artifact = answerOf(model.data, wanted);
      if (artifact) return contentLines(artifact, `${columns}${asWritten ? ' as written' : ''}`);
      return [line(span(errorOf(model.data, wanted)?.message ?? 'Loading…', theme.muted))];
    }
    default:
      return opened.kind satisfies never;
  }
}

function gone(): Line[] {
  return [line(span('The run no longer has this item.', theme.muted))];
}

const eventLines = memoize((event: EventView, columns): readonly Line[] => [
  ...fact('type', event.type),
  ...fact('time', `${localTime(event.ts)} ${zoneAt(event.ts)}`),
  ...fact('phase', event.phaseId),
  ...fact('key', event.idempotencyKey),
  EMPTY,
  ...rawText(JSON.stringify(event.payload, null, 2), Number(columns)),
]);

function commandLines(command: CommandView, now: number): Line[] {
  const { argv, cwd, kind, phaseKey, attempt, reason, startedAt, endedAt, stdoutPath, stderrPath } = command;
  return [
    ...fact('exit', commandOutcome(command)),
    ...fact('reason', reason),
    ...fact('duration', elapsed(startedAt, endedAt, now)),
    ...fact('kind', kind),
    ...fact('phase', phaseKey === null ? null : `${phaseKey}, attempt ${attempt}`),
    ...fact('directory', cwd),
    ...fact('stdout', stdoutPath),
    ...fact('stderr', stderrPath),
    EMPTY,
    // One argument a line, to show where each one ends.
    ...argv.map((each) => line('  ', each)),
  ];
}

/** An error in a document of a contract has a code, and often a line. */
function errorWords(error: ArtifactContent['errors'][number]): string {
  return error.code === undefined ? `${error.path || '/'}  ${error.message}` : findingSentence(error);
}

const contentLines = memoize((artifact: ArtifactContent, how): readonly Line[] => {
  const columns = Number.parseInt(how, 10);
  const { schema, path, valid, errors, hash, content, truncated } = artifact;
  const asWritten = how.endsWith('as written');
  return [
    ...fact('schema', schema),
    ...fact('file', path),
    ...fact('SHA-256', hash.slice(0, 16)),
    ...fact('valid', line(valid ? span('✓ yes', theme.good) : span('✗ no', theme.bad))),
    ...errors.map((each) => line(span(`  ${errorWords(each)}`, theme.bad))),
    line(span('─'.repeat(columns), theme.muted)),
    ...(content === null
      ? wrap(artifact.fault ?? 'The file is missing.', columns, theme.muted)
      : asWritten
        ? rawText(content, columns)
        : documentText(content, schema, columns)),
    ...(truncated ? [line(span('… Only the beginning is shown.', theme.warn))] : []),
  ];
});
