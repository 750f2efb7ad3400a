import { sharedFileNote } from '../../schemas/repository/personsFile.ts';
import { commandText, originText, settingText } from '../../schemas/repository/settingText.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { RepositoryView, StartSettings, TriedSetup } from '../../schemas/rpc/views/repository.ts';
import { CONSENT_STATES } from '../../schemas/states/consent.ts';
import { duration } from '../../schemas/time/duration.ts';
import type { Io } from '../io/io.ts';
import { paintState, printFacts, printHeading, printTable } from './output.ts';
import { visible } from './text.ts';

export function printRepository(io: Io, view: RepositoryView): void {
  printFacts(io, [
    ['repository', view.repoPath],
    ['base', `${view.baseBranch ?? 'no branch'} at ${view.baseCommit.slice(0, 12)}`],
    ['devflow.yaml', view.hasFile ? 'yes' : 'none in this commit'],
    ['your file', view.person.exists ? view.person.path : `none (${view.person.path})`],
  ]);
  const note = sharedFileNote(view.person, view.consents);
  if (note !== undefined) io.out(`${visible(note)}\n`);
  printStartSettings(io, view);
}

/** The settings, and what needs consent. */
export function printStartSettings(io: Io, { rows, consents, setup }: StartSettings): void {
  printHeading(io, 'Settings');
  printTable(
    io,
    rows.filter(({ value }) => !isEmpty(value)),
    [
      { title: 'KEY', cell: (row) => row.key },
      { title: 'FROM', cell: (row) => originText(row), path: true },
      { title: 'VALUE', cell: (row) => settingText(row.value), whole: true },
    ],
    'none',
  );
  if (consents.length > 0) {
    printHeading(io, 'Needs your consent');
    for (const { state, lines } of consents) {
      io.out(`${paintState(io, CONSENT_STATES[state])}\n`);
      for (const line of lines) io.out(`  ${visible(line)}\n`);
    }
  }
  const cloned = setup?.clone ?? [];
  if (cloned.length > 0)
    io.out(`\nCloned from your checkout if they fit: ${cloned.map((each) => visible(each)).join(', ')}\n`);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function printInit(io: Io, { path, text, written, tried }: RpcResult<'repository.init'>): void {
  io.out(text);
  if (written) io.out(`\nWritten: ${visible(path)}\n`);
  if (tried) printTried(io, tried);
}

function printTried(io: Io, { setUp, setupMs, placed, changed, excluded, checks }: TriedSetup): void {
  io.out(`${setUp ? 'Set up in' : 'The set-up failed after'} ${duration(setupMs)}.\n`);
  const list = (paths: readonly string[]) => paths.map((each) => visible(each)).join(', ');
  if (placed.length > 0)
    io.out(`From your checkout: ${placed.map(({ path, how }) => `${visible(path)} (${how})`).join(', ')}\n`);
  if (changed.length > 0) io.out(`Tracked files that it changed, and devflow put back: ${list(changed)}\n`);
  if (excluded.length > 0) io.out(`Made and not ignored by git; devflow never commits it: ${list(excluded)}\n`);
  for (const { argv, ok, reason, output, ms } of checks) {
    const word = paintState(io, ok ? { word: 'passed', look: 'good' } : { word: 'failed', look: 'bad' });
    io.out(`${word} in ${duration(ms)}: ${commandText(argv)}${reason === null ? '' : ` (${visible(reason)})`}\n`);
    if (output !== '') io.out(`${visible(output, 'text')}\n`);
  }
}
