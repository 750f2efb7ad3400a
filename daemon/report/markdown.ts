import { answerWords, commentPlace, commentStateWords } from '../../schemas/comments/commentWords.ts';
import { backendsOf, notesOf, onlyBackend, placeOf, reasonOf } from '../../schemas/findings/findingWords.ts';
import { findingSentence } from '../../schemas/findings/locatedFinding.ts';
import { ruleText } from '../../schemas/gates/ruleText.ts';
import { rightsWords } from '../../schemas/repository/rightsWords.ts';
import { sandboxWords } from '../../schemas/sandboxWords.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../schemas/states/findings.ts';
import { gateState } from '../../schemas/states/gate.ts';
import { PHASE_STATES } from '../../schemas/states/run.ts';
import { setupNotes, setupSentence } from '../../schemas/states/setup.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { shellWord } from '../../schemas/text/visible.ts';
import { durationBetween } from '../../schemas/time/duration.ts';
import { localTime, withLocalTimes, zoneAt } from '../../schemas/time/localTime.ts';
import type { ReportDocument } from './document.ts';
import { stallsSentence } from './holdUps.ts';
import { code, fenced, inline, table } from './markdownText.ts';
import { measuredMarkdown } from './measured.ts';
import { outcome } from './outcome.ts';
import { sheetsMarkdown } from './sheetMarkdown.ts';

/** The report for a person: the outcome first, then what needs attention, then everything else. */
export function reportMarkdown(report: ReportDocument): string {
  const sections = [
    `# ${outcome(report)}`,
    facts(report),
    section('Needs attention', bullets(report.unresolved.map(({ sentence }) => sentence)) || 'Nothing.'),
    section('Request', request(report)),
    section('Commits', commits(report)),
    section('Phases', phases(report)),
    section('Approvals', approvals(report)),
    section('Decided on', sheetsMarkdown(report)),
    section('Worktrees', bullets(report.setups.flatMap((each) => [setupSentence(each), ...setupNotes(each)]))),
    section('Checks', checks(report)),
    section('Artifacts', artifacts(report)),
    section('Artifact warnings', artifactWarnings(report)),
    section('Comments', comments(report)),
    section('Findings', findings(report)),
    section('Measurements', measuredMarkdown(report.measured)),
    section('Recoveries', bullets(report.recoveries)),
    section('Stalls', bullets(report.holdUps.map(stallsSentence))),
    section(`Last ${report.events.tail.length} of ${report.events.total} events`, events(report)),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

/** Empty without a body. */
function section(title: string, body: string): string {
  return body && `## ${title}\n\n${body}`;
}

function bullets(sentences: readonly string[]): string {
  return sentences.map((sentence) => `- ${inline(withLocalTimes(sentence))}`).join('\n');
}

function facts({ runId, title, template, templateHash, createdAt, endedAt, bindings, inputs }: ReportDocument): string {
  const roles = bindings.map(
    ({ roleId, personaName, personaVersion, backend, permissionMode }) =>
      `${inline(roleId)}: ${inline(`${personaName}@${personaVersion}`)} on ${inline(backend)} (${permissionMode})`,
  );
  return [
    `- Title: ${inline(title)}`,
    `- Run ${code(runId)}, template ${code(template)} (${code(templateHash.slice(0, 12))})`,
    `- From ${localTime(createdAt)} to ${endedAt ? `${localTime(endedAt)}, ${durationBetween(createdAt, endedAt)}` : 'now'} (local time, ${zoneAt(createdAt)})`,
    `- Roles: ${roles.join('; ') || 'none'}`,
    ...beginning(inputs),
    ...walls(inputs),
  ].join('\n');
}

/** Where it works and what it began with, for a run that is no ordinary one. */
function beginning({ here, after, schedule }: ReportDocument['inputs']): string[] {
  return [
    ...(here ? ['- In the checkout of the person'] : []),
    ...(after ? [`- Started after run ${code(after)}`] : []),
    ...(schedule ? [`- Started by schedule ${code(schedule.id)}, for ${localTime(schedule.occurrence)}`] : []),
  ];
}

/** The sandbox around the agents, and what they had from the repository. */
function walls({ sandbox, wrap, agentRights, autoGates = [] }: ReportDocument['inputs']): string[] {
  return [
    ...(sandbox ? [`- Sandbox: ${inline(sandboxWords(sandbox))}`] : []),
    ...(wrap
      ? [`- Agents started by ${code(wrap.map(shellWord).join(' '))}; devflow does not know what that holds`]
      : []),
    ...(agentRights
      ? [
          `- Of the repository's own settings: ${inline(rightsWords(agentRights))}, as in ${code(agentRights.hash.slice(0, 12))}`,
        ]
      : []),
    ...autoGates.map((rule) => `- Your rule for a gate: ${code(ruleText(rule))}`),
  ];
}

function request({ inputs }: ReportDocument): string {
  const {
    repoPath,
    baseBranch,
    baseCommit,
    requirementsMd,
    objective,
    extra,
    inputHash: _,
    overrides: __,
    sandbox: ___,
    wrap: ____,
    agentRights: _____,
    autoGates: ______,
    here: _______,
    after: ________,
    schedule: _________,
    ...more
  } = inputs;
  more satisfies Record<string, never>;
  const blocks = [
    `In ${code(repoPath)}, from ${code(baseBranch)} at ${code(baseCommit.slice(0, 12))}:`,
    fenced(requirementsMd),
  ];
  if (objective !== null && objective !== undefined) blocks.push('Objective:', json(objective));
  if (extra !== null) blocks.push('Additional input:', json(extra));
  return blocks.join('\n\n');
}

function json(value: unknown): string {
  return fenced(JSON.stringify(value, null, 2), 'json');
}

function commits({
  runId,
  phases,
  branch,
  inputs,
  worktreeRoot,
  hasWorktree,
  laneCommits,
  otherCommits,
  ...report
}: ReportDocument): string {
  const own = phases.flatMap(({ key, commits: ofPhase }) =>
    ofPhase.map(({ commit, files, insertions, deletions }) => {
      const size = counted(files ?? 0, 'file');
      return `- ${code((commit ?? '').slice(0, 12))} in phase ${code(key)}: ${size}, +${insertions} −${deletions}`;
    }),
  );
  const all = [
    ...own,
    ...laneCommits.map(({ commit, what }) => `- ${code(commit.slice(0, 12))} ${inline(what)}`),
    ...otherCommits.map((commit) => `- ${code(commit.slice(0, 12))}, not made by devflow`),
  ];
  if (branch === null || all.length === 0) return 'The run made no commits.';
  const look = `git -C ${shellWord(inputs.repoPath)} diff ${inputs.baseCommit.slice(0, 12)}..${shellWord(branch)}`;
  const where = hasWorktree ? `, checked out in ${code(worktreeRoot)}` : '';
  const taken =
    report.takenOver.length === 0
      ? ''
      : ` ${report.takenOver.map(code).join(', ')} also ${report.takenOver.length === 1 ? 'has' : 'have'} them.`;
  const id = runId.slice(0, 8);
  return [
    all.join('\n'),
    `These commits are on the branch ${code(branch)}${where}.${taken} To see the whole change:`,
    fenced(`devflow run diff ${id}\n${look}`, 'sh'),
    ...(report.endedAt === null ? [] : ['To apply it to your branch:', fenced(`devflow run apply ${id}`, 'sh')]),
  ].join('\n\n');
}

function phases({ phases }: ReportDocument): string {
  return table(
    ['phase', 'state', 'attempts', 'duration'],
    phases.map(({ key, title, state, attempts, startedAt, endedAt }) => [
      `${code(key)} ${inline(title)}`,
      stateOf(PHASE_STATES, state).word,
      String(attempts),
      durationBetween(startedAt, endedAt),
    ]),
  );
}

function approvals({ approvals }: ReportDocument): string {
  if (approvals.length === 0) return '';
  return table(
    ['gate', 'phase', 'outcome', 'when', 'by', 'comment'],
    approvals.map(({ gateKey, kind, phaseKey, assignment, laneId, attempt, state, resolvedAt, decision }) => [
      code(gateKey),
      `${[phaseKey, assignment ?? laneId]
        .flatMap((part) => part ?? [])
        .map(code)
        .join(' ')} attempt ${attempt}`,
      gateState({ kind, state, decisions: decision ? [decision] : [] }).word,
      timeOf(decision?.decidedAt ?? resolvedAt),
      // devflow has one user. The token identifies the client that decided.
      decision ? decidedBy(decision) : resolvedAt ? 'end of the run' : '',
      inline(decision?.comment ?? ''),
    ]),
  );
}

function decidedBy({ by, clientToken }: NonNullable<ReportDocument['approvals'][number]['decision']>): string {
  return by ? `your rule ${code(by.rule)}` : `you, token ${code(clientToken.slice(0, 8))}`;
}

function timeOf(iso: string | null): string {
  return iso === null ? '' : localTime(iso);
}

function checks({ commands }: ReportDocument): string {
  if (commands.length === 0) return '';
  return table(
    ['command', 'phase', 'outcome', 'duration', 'output'],
    commands.map(({ kind, argv, phaseKey, attempt, state, exitCode, reason, startedAt, endedAt, ...paths }) => [
      code(argv.join(' ')),
      kind === 'setup' ? 'set-up' : `${code(phaseKey ?? '')} attempt ${attempt}`,
      state === 'started'
        ? 'not finished'
        : `${state === 'completed' ? 'passed' : 'failed'}: ${inline(exitCode === null ? (reason ?? '') : `exit ${exitCode}`)}`,
      durationBetween(startedAt, endedAt),
      `${code(paths.stdoutPath)} ${code(paths.stderrPath)}`,
    ]),
  );
}

function artifacts({ artifacts }: ReportDocument): string {
  if (artifacts.length === 0) return '';
  return table(
    ['artifact', 'phase', 'valid', 'SHA-256', 'file'],
    artifacts.map(({ schema, phaseKey, valid, edited, isLeftOut, hash, storedPath, path }) => [
      code(schema),
      code(phaseKey ?? ''),
      `${valid ? 'yes' : 'no'}${isLeftOut ? ', lane abandoned' : ''}${edited ? ', edited by you' : ''}`,
      code(hash.slice(0, 12)),
      code(storedPath ?? path),
    ]),
  );
}

/** Warnings for the readers of valid artifacts. */
function artifactWarnings({ artifacts }: ReportDocument): string {
  return artifacts
    .flatMap(({ schema, phaseKey, warnings }) =>
      warnings.map((each) => `- ${code(schema)} of phase ${code(phaseKey ?? '')}: ${inline(findingSentence(each))}`),
    )
    .join('\n');
}

/** What people said about the work, and what agents answered. */
function comments({ comments }: ReportDocument): string {
  if (comments.length === 0) return '';
  return table(
    ['comment', 'place', 'said', 'state', 'answers'],
    comments.map((comment) => [
      `${code(comment.id)}${comment.kind === 'question' ? ' question' : ''}`,
      code(commentPlace(comment)),
      inline(comment.text),
      inline(commentStateWords(comment)),
      inline(comment.answers.map(answerWords).join('; ')),
    ]),
  );
}

function findings({ findings }: ReportDocument): string {
  if (findings.length === 0) return '';
  const rows = table(
    ['severity', 'state', 'place', 'finding', 'found by', 'resolution'],
    findings.map((finding) => [
      stateOf(FINDING_SEVERITIES, finding.severity).word,
      [stateOf(FINDING_STATES, finding.state).word, ...notesOf(finding)].join(', '),
      code(placeOf(finding)),
      inline(finding.summary),
      backendsOf(finding).join(', '),
      inline(reasonOf(finding)),
    ]),
  );
  const backend = onlyBackend(findings);
  if (backend === undefined) return rows;
  return `${rows}\n\nAll findings come from one backend: ${inline(backend)}. Another one may find other defects.`;
}

function events({ events }: ReportDocument): string {
  if (events.tail.length === 0) return '';
  return fenced(
    events.tail
      .map(({ seq, ts, type, idempotencyKey }) => `${seq}  ${localTime(ts)}  ${type}  ${idempotencyKey}`)
      .join('\n'),
  );
}
