import type { Command } from '../command/command.ts';
import { TmuxError } from '../command/errors.ts';
import { formatRow, parseRows } from '../command/format.ts';
import type { PaneId, SessionId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

/** A user option: it means nothing to tmux itself. */
export type UserOption = `@${string}`;

/** Empty if it was never set. */
export async function readPaneOption(runner: Runner, pane: PaneId, name: UserOption): Promise<string> {
  const format = formatRow([userOption(name)]);
  const lines = await runner.run([['display-message', '-p', '-t', pane, format]], { idempotent: true });
  return parseRows(lines, 1)[0]?.[0] ?? '';
}

/** The option's value for every pane that has it. */
export async function listPaneOptions(runner: Runner, name: UserOption): Promise<Map<PaneId, string>> {
  const format = formatRow(['pane_id', userOption(name)]);
  const rows = parseRows(await runner.run([['list-panes', '-a', '-F', format]], { idempotent: true }), 2);
  return new Map(rows.filter(([, value]) => value !== '') as [PaneId, string][]);
}

/** The option's value for every session that has it. */
export async function listSessionOptions(runner: Runner, name: UserOption): Promise<Map<SessionId, string>> {
  const format = formatRow(['session_id', userOption(name)]);
  const rows = parseRows(await runner.run([['list-sessions', '-F', format]], { idempotent: true }), 2);
  return new Map(rows.filter(([, value]) => value !== '') as [SessionId, string][]);
}

/** The target may be anything that names a pane. It is always given: without it, tmux marked another pane. */
export function setPaneOptionCommand(target: string, name: UserOption, value: string): Command {
  return ['set-option', '-p', '-t', target, '--', userOption(name), value];
}

/** Sets a user option on the whole server: it means nothing to tmux or to its owner's configuration. */
export async function setGlobalOption(runner: Runner, name: UserOption, value: string): Promise<void> {
  await runner.run([['set-option', '-g', '--', userOption(name), value]], { idempotent: true });
}

export function sessionOptionCommands(target: string, marks: Readonly<Record<UserOption, string>>): Command[] {
  return Object.entries(marks).map(([name, value]) => ['set-option', '-t', target, '--', userOption(name), value]);
}

export function paneOptionCommands(target: string, marks: Readonly<Record<UserOption, string>>): Command[] {
  return Object.entries(marks).map(([name, value]) => setPaneOptionCommand(target, name as UserOption, value));
}

function userOption(name: string): string {
  if (!/^@[A-Za-z0-9_-]+$/.test(name)) {
    throw new TmuxError('bad_argument', `${JSON.stringify(name)} is no user option; this driver sets no others.`);
  }
  return name;
}
