import { roleOf } from '../../../schemas/mainLane.ts';
import type { ConsentView } from '../../../schemas/repository/consent.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Model, Size } from '../../model/model.ts';
import { answerOf } from '../../model/query.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../../text/line.ts';
import { shortId, waitWords } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { selectableRow } from '../../widgets/selectableList.ts';
import { formOf } from './form.ts';
import type { FormRow } from './formRow.ts';
import { rolesOf, rowsOf } from './formRows.ts';
import { checksOf, openConsents, settingPlace, settingsOf, templateRef } from './formSettings.ts';
import { thisHost } from './hostRows.ts';
import { sandboxValue, setupValue } from './setupRow.ts';
import { inFormWords } from './startFields.ts';
import {
  CREATED_RUNS,
  checkForm,
  dryRunQuery,
  type FormCheck,
  lastBackends,
  lastBackendsQuery,
  STARTING,
  startRequest,
} from './startRequest.ts';

const LABEL = 15;

/** The rows around the current one, and below them what the daemon says. */
export function formView(model: Model, { columns, rows }: Size): Line[] {
  const answer = answerLines(model, columns);
  const below = [EMPTY, ...answer.slice(0, Math.max(3, Math.floor(rows / 2) - 1))];
  const height = rows - below.length;
  const all = rowsOf(model);
  const from = topOf(model, height);
  const shown = all.slice(from, from + height).map((row) => rowLine(model, row, columns));
  return [...shown, ...below];
}

/** The first visible row. */
function topOf(model: Model, height: number): number {
  const all = rowsOf(model);
  const at = all.findIndex(({ key }) => key === formOf(model).at);
  return Math.max(0, Math.min(at - Math.floor(height / 2), all.length - height));
}

/** The row of the form at a row of the screen. */
export function rowAt(model: Model, row: number, { columns, rows }: Size): FormRow | undefined {
  const answer = answerLines(model, columns);
  const height = rows - 1 - Math.min(answer.length, Math.max(3, Math.floor(rows / 2) - 1));
  return row < height ? rowsOf(model)[topOf(model, height) + row] : undefined;
}

function rowLine(model: Model, row: FormRow, columns: number): Line {
  const isHere = row.key === formOf(model).at;
  const hint = isHere ? span(`  Enter: ${row.does}`, theme.muted) : span('');
  const label = fitWidth(line(span(row.label, theme.title)), LABEL);
  const value = line(...fieldText(model, row.key), hint);
  return selectableRow([...label, ...value], isHere, columns);
}

function fieldText(model: Model, key: string): Line {
  const { host, repo, base, template, requirements, title, objective, roles, parallel } = formOf(model);
  const none = (text: string) => line(span(text, theme.muted));
  const [kind = '', of = ''] = key.split(' ');
  switch (kind) {
    case 'host':
      return host === undefined ? line(thisHost(model), span('  this one', theme.muted)) : line(host);
    case 'repo':
      return host !== undefined && repo === undefined ? none('an absolute path there') : line(repo ?? model.cwd);
    case 'base':
      return base === '' ? settledBase(model) : line(base);
    case 'template':
      return template === undefined
        ? settled(templateRef(model) ?? '…', settingPlace(model, 'template'))
        : line(template);
    case 'requirements':
      return requirements.text.trim() === '' ? none('Enter, e or f') : textSummary(requirements);
    case 'title':
      return title === '' ? none('the first line of the requirements') : line(title);
    case 'objective':
      return objective === undefined ? none('none') : line(objective.from);
    case 'check': {
      const { texts, place } = checksOf(model);
      const command = texts[Number(of)];
      if (command === undefined) return none(texts.length === 0 ? 'only those of the template' : 'add another');
      return settled(command, place);
    }
    case 'setup':
      return setupValue(model);
    case 'sandbox':
      return sandboxValue(model);
    case 'parallel':
      return parallel ? line('yes, beside an open run') : none('no: one open run per repository and base branch');
    default:
      return roleValue(model, of, roles[of] !== undefined);
  }
}

/** A value, and the place of the settings that says so. */
function settled(value: string, place: string | undefined): Line {
  return line(value, place !== undefined && span(`  ${place}`, theme.muted));
}

function settledBase(model: Model): Line {
  const { baseBranch } = settingsOf(model) ?? {};
  if (!baseBranch) return line(span('the checked-out branch', theme.muted));
  return settled(baseBranch, settingPlace(model, 'base') ?? 'checked out');
}

function textSummary({ text, from }: { text: string; from?: string }): Line {
  const lines = text.trim().split('\n');
  const count = lines.length > 1 && span(`${counted(lines.length, 'line')} `, theme.accent);
  const source = from !== undefined && span(`${from} `, theme.muted);
  return line(count, source, lines[0]);
}

function roleValue(model: Model, role: string, isChosen: boolean): Line {
  const width = Math.max(...rolesOf(model).map((each) => each.length)) + 2;
  const name = fitWidth(line(role), width);
  const asked = dryRunQuery(model);
  const plan = asked && answerOf(model.data, asked);
  const bindings = plan && 'dryRun' in plan ? plan.bindings.filter((each) => each.role === role) : [];
  const mark = span(isChosen ? '* ' : '  ', theme.warn);
  const [first] = bindings;
  if (!first) {
    const { persona, backend } = formOf(model).roles[role] ?? {};
    return line(...name, mark, span(persona ?? (backend ? `any on ${backend}` : '…'), theme.muted));
  }
  const who = [...new Set(bindings.map((each) => `${each.persona} (${each.backend})`))].join(', ');
  const last = lastBackends(model).find(({ roleId }) => roleOf(roleId) === role);
  const place = isChosen || last ? undefined : settingPlace(model, `backends.${role}`);
  const why = place ?? (last ? `as in run ${shortId(last.runId)}` : first.reason);
  return line(...name, mark, span(who, theme.accent), span(`  ${why}`, theme.muted));
}

/** The progress of the start, or else what the daemon says about the form. */
function answerLines(model: Model, columns: number): Line[] {
  if (model.busy.includes(STARTING)) {
    const repo = startRequest(model).repo;
    const mine = answerOf(model.data, CREATED_RUNS)?.find(({ waitingFor, queue }) => waitingFor !== null && !queue);
    const waits = mine?.waitingFor ? `: waiting for ${waitWords(mine.waitingFor)}` : '';
    return [line(' ', span(`Starting in ${repo}${waits}…`, theme.muted))];
  }
  return [...checkLines(checkForm(model), openConsents(model), columns), ...unusableBackends(model, columns)];
}

/** Backends of the last run that this run cannot use. */
function unusableBackends(model: Model, columns: number): Line[] {
  const asked = lastBackendsQuery(model);
  const unusable = (asked && answerOf(model.data, asked)?.unusable) ?? [];
  return unusable.flatMap(({ roleId, backend, runId, reason }) =>
    wrap(`${roleId} cannot use ${backend} as in run ${shortId(runId)}: ${reason}`, columns - 2, theme.warn).map(
      (each) => line(' ', ...each),
    ),
  );
}

function checkLines(verdict: FormCheck, open: readonly ConsentView[], columns: number): Line[] {
  const inset = (lines: readonly Line[]) => lines.map((each) => line(' ', ...each));
  switch (verdict.state) {
    case 'incomplete':
      return inset(wrap(`Missing: ${verdict.missing.join(' and ')}.`, columns - 2, theme.warn));
    case 'checking':
      return inset([line(span('Checking…', theme.muted))]);
    case 'refused': {
      const { code } = verdict.why;
      const message = inFormWords(verdict.why.message);
      const hint = verdict.why.hint && inFormWords(verdict.why.hint);
      return inset([
        ...wrap(`✗ ${message} (${code})`, columns - 2, theme.bad),
        ...(hint === undefined ? [] : wrap(`→ ${hint}`, columns - 2, theme.accent)),
      ]);
    }
    case 'good': {
      const { plan } = verdict;
      const phases = plan.phases.map(({ key, gates }) => (gates.length > 0 ? `${key} [${gates.join(', ')}]` : key));
      const commands = plan.phases.flatMap(({ key, commands }) => commands.map((argv) => `${key}: ${argv.join(' ')}`));
      return inset([
        line(
          span(open.length > 0 ? '✓ Ctrl-S asks, then starts the run' : '✓ Ctrl-S starts the run', theme.good),
          `: ${plan.template} from ${plan.baseBranch} ${plan.baseCommit.slice(0, 8)}`,
        ),
        ...open.flatMap(({ lines }) => lines).flatMap((each) => wrap(`? ${each}`, columns - 2, theme.warn)),
        ...plan.warnings.flatMap((each) => wrap(`! ${inFormWords(each)}`, columns - 2, theme.warn)),
        ...wrap(`Phases [and gates]: ${phases.join(' → ')}`, columns - 2, theme.muted),
        ...commands.flatMap((each) => wrap(each, columns - 2, theme.muted)),
        ...plan.bindings.flatMap(({ roleId, reason }) => wrap(`${roleId}: ${reason}`, columns - 2, theme.muted)),
      ]);
    }
    default:
      return verdict satisfies never;
  }
}
