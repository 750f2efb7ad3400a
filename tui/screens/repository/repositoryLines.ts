import { SETTINGS_FILE } from '../../../schemas/names.ts';
import { sharedFileNote } from '../../../schemas/repository/personsFile.ts';
import { settingText } from '../../../schemas/repository/settingText.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { CONSENT_STATES } from '../../../schemas/states/consent.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, fitWidth, type Line, line, lineWidth, span, wrap } from '../../text/line.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { shortPlace } from './shownRepository.ts';

type View = RpcResult<'repository.show'>;
type Checked = RpcResult<'repository.check'>;

const LABEL = 14;
const MOST_KEY = 24;

/** The files of the settings, and the settings that hold. */
export function settingsLines(view: View, columns: number): Line[] {
  const { repoPath, baseBranch, baseCommit, hasFile, person } = view;
  const note = sharedFileNote(person, view.consents);
  const fact = (label: string, text: string) => labelled(label, text, columns, LABEL);
  return [
    ...fact('repository', repoPath),
    ...fact('base', `${baseBranch ?? 'no branch'} at ${baseCommit.slice(0, 12)}`),
    ...fact(SETTINGS_FILE, hasFile ? 'in this commit' : 'none in this commit, so devflow guesses'),
    ...(hasFile ? [] : fact('', 'devflow repository init writes one with comments, and tries it.')),
    ...fact('your file', person.exists ? person.path : `none (${person.path})`),
    ...(note === undefined ? [] : fact('', note)),
    ...consentLines(view, columns),
    ...heading('What holds'),
    ...rowLines(view, columns),
    ...setupLines(view.setup, columns),
  ];
}

function rowLines({ rows }: View, columns: number): Line[] {
  const shown = rows.filter(({ value }) => !Array.isArray(value) || value.length > 0);
  if (shown.length === 0) return [line(span('nothing', theme.muted))];
  const width = Math.min(MOST_KEY, Math.max(...shown.map(({ key }) => key.length))) + 2;
  return shown.flatMap((row) => {
    const value = wrap(settingText(row.value), columns - width);
    const from = span(`  ${shortPlace(row)}`, theme.muted);
    const last = value.at(-1) ?? EMPTY;
    const isRoom = lineWidth(last) + lineWidth([from]) <= columns - width;
    const beside = isRoom
      ? [...value.slice(0, -1), [...last, from]]
      : [...value, ...wrap(shortPlace(row), columns - width, theme.muted)];
    return beside.map((each, nth) => line(...fitWidth(line(span(nth === 0 ? row.key : '')), width - 2), '  ', ...each));
  });
}

/** The parts that need consent, and the decisions about them. */
function consentLines({ consents }: Pick<View, 'consents'>, columns: number): Line[] {
  if (consents.length === 0) return [];
  return [
    ...heading('Needs your consent'),
    ...consents.flatMap(({ state, lines }) => [
      line(stateSpan(CONSENT_STATES[state])),
      ...lines.flatMap((each) => wrap(each, columns - 2).map((part) => line('  ', ...part))),
    ]),
  ];
}

/** The set-up of worktrees with what is allowed now. */
function setupLines(setup: WorktreeSetup | null, columns: number): Line[] {
  if (setup === null) return [...heading('Set-up of worktrees'), line(span('none', theme.muted))];
  const { copy, clone, link, commands, again, teardown, ports, env } = setup;
  const listed = (label: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : labelled(label, texts.join(', '), columns, LABEL);
  return [
    ...heading('Set-up of worktrees'),
    ...listed('copied', copy),
    ...listed('cloned', clone),
    ...listed('linked', link),
    ...commands.flatMap(({ argv, unlessCloned }) => {
      const unless = unlessCloned ? `  (not if ${unlessCloned.directory} is cloned)` : '';
      return labelled('runs', `${settingText([argv])}${unless}`, columns, LABEL);
    }),
    ...listed('again for', again),
    ...teardown.flatMap((argv) => labelled('at the end', settingText([argv]), columns, LABEL)),
    ...listed('ports', ports),
    ...listed(
      'variables',
      Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ),
  ];
}

/** The faults of the files, each with its line. */
export function faultLines({ files }: Checked, columns: number): Line[] {
  const faults = files.flatMap(({ faults: all, where }) =>
    all.map((fault) => (where === 'base' ? `${fault} (base commit)` : fault)),
  );
  if (faults.length === 0) return [];
  return [
    line(span('Faults', theme.title)),
    ...faults.flatMap((fault) => wrap(`✗ ${fault}`, columns, theme.bad)),
    EMPTY,
  ];
}

function heading(text: string): Line[] {
  return [EMPTY, line(span(text, theme.title))];
}
