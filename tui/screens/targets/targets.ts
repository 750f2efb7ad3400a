import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { type Choice, type Command, type Model, type Step, step } from '../../model/model.ts';

/** A text that `y` can copy: an id, a branch, a path. */
export interface Copyable {
  readonly what: string;
  readonly text: string;
}

/** An item that `o` can open. An artifact opens as a copy, because nobody may change the original. */
export interface Openable {
  readonly what: string;
  readonly path: string;
  readonly as: 'directory' | 'file' | 'copy';
  /** The file must lie in this directory: an agent could have replaced it with a link. */
  readonly root?: string;
  readonly line?: number;
}

/** The targets of the keys that copy, open and enter a worktree. The selected item comes first. */
export interface Targets {
  readonly copy: readonly Copyable[];
  readonly open: readonly Openable[];
  readonly worktree?: { readonly path: string; readonly label: string } | undefined;
}

export const NO_TARGETS: Targets = { copy: [], open: [] };

/** `y` copies, `o` opens in the editor, `!` opens a shell in the worktree: the same on every screen. */
export function targetBindings(name: string, thingsOf: (model: Model) => Targets): readonly Binding[] {
  return [
    {
      id: `${name}.copy`,
      keys: ['y'],
      label: 'copy',
      help: 'Copy an id, a branch or a path to the clipboard and the tmux buffer',
      disabled: (model) => (thingsOf(model).copy.length > 0 ? undefined : 'there is nothing to copy'),
      run: (model) => choose(model, 'Copy', thingsOf(model).copy, ({ text }) => text, copied),
    },
    {
      id: `${name}.edit`,
      keys: ['o'],
      label: 'open in $EDITOR',
      help: 'Open the worktree, a file or a copy of an artifact in your editor ($VISUAL, $EDITOR, or vi)',
      disabled: (model) => (thingsOf(model).open.length > 0 ? undefined : 'there is no file to open'),
      run: (model) => choose(model, 'Open in your editor', thingsOf(model).open, ({ path }) => path, opened),
    },
    {
      id: `${name}.shell`,
      keys: ['!'],
      label: 'shell',
      help: 'Open a shell ($SHELL) in the worktree; leaving it returns here',
      disabled: (model) => (thingsOf(model).worktree ? undefined : 'there is no worktree'),
      run(model) {
        const { worktree } = thingsOf(model);
        return worktree ? step(model, { type: 'shell', ...worktree }) : step(model);
      },
    },
  ];
}

/** Asks which one, unless there is only one. */
function choose<T extends { readonly what: string }>(
  model: Model,
  title: string,
  things: readonly T[],
  about: (thing: T) => string,
  askFor: (thing: T) => Command,
): Step {
  const [only, another] = things;
  if (!only) return step(model);
  if (!another) return step(model, askFor(only));
  const choices = things.map(
    (thing, nth): Choice => ({ value: String(nth), label: thing.what, description: about(thing) }),
  );
  const then = (after: Model, value: string): Step => {
    const thing = things[Number(value)];
    return thing ? step(after, askFor(thing)) : step(after);
  };
  return step({ ...model, overlay: { kind: 'choose', title, choices, field: field(), selected: 0, then } });
}

const copied = ({ what, text }: Copyable): Command => ({ type: 'copy', what, text });
const opened = ({ what, path, as, root, line }: Openable): Command => ({ type: 'open', what, path, as, root, line });

/** Joins several lists. A text or path is offered once, under its first name. */
export function mergeTargets(...all: readonly Targets[]): Targets {
  const once = <T>(things: readonly T[], of: (thing: T) => string): T[] =>
    things.filter((thing, nth) => of(thing) !== '' && things.findIndex((other) => of(other) === of(thing)) === nth);
  return {
    copy: once(
      all.flatMap(({ copy }) => copy),
      ({ text }) => text,
    ),
    open: once(
      all.flatMap(({ open }) => open),
      ({ path }) => path,
    ),
    worktree: all.find(({ worktree }) => worktree)?.worktree,
  };
}
