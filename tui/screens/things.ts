import type { Binding } from '../model/binding.ts';
import { field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { Choice } from '../model/overlay.ts';
import { type Command, type Step, step } from '../model/step.ts';

/** Something with a name that may be copied: an id, a branch, a path. */
export interface Copyable {
  readonly what: string;
  readonly text: string;
}

/** A file as the editor gets it: an agent's own in its worktree, or a copy of what nobody may change. */
export interface Openable {
  readonly what: string;
  readonly path: string;
  readonly as: 'directory' | 'file' | 'copy';
  /** The directory that a file must be in, although an agent could make it a link. */
  readonly root?: string;
}

/** What is in view and can be taken along: the thing under the cursor first. */
export interface Things {
  readonly copy: readonly Copyable[];
  readonly open: readonly Openable[];
  readonly worktree?: { readonly path: string; readonly label: string } | undefined;
}

export const NO_THINGS: Things = { copy: [], open: [] };

/** `y` copies, `o` opens in the editor, `!` opens a shell in the worktree; the same on every screen that has such things. */
export function thingBindings(name: string, thingsOf: (model: Model) => Things): readonly Binding[] {
  return [
    {
      ...{ id: `${name}.copy`, keys: ['y'], label: 'copy' },
      help: 'Copy an id, a branch or a path of what is in view, to the clipboard and the tmux buffer',
      disabled: (model) => (thingsOf(model).copy.length > 0 ? undefined : 'there is nothing to copy'),
      run: (model) => choose(model, 'Copy', thingsOf(model).copy, ({ text }) => text, copied),
    },
    {
      ...{ id: `${name}.edit`, keys: ['o'], label: 'open in $EDITOR' },
      help: 'Open the worktree, a file or an artifact in your editor ($VISUAL, $EDITOR, or vi); of an artifact a copy',
      disabled: (model) => (thingsOf(model).open.length > 0 ? undefined : 'there is no file to open'),
      run: (model) => choose(model, 'Open in your editor', thingsOf(model).open, ({ path }) => path, opened),
    },
    {
      ...{ id: `${name}.shell`, keys: ['!'], label: 'shell' },
      help: 'Open a shell ($SHELL) in the worktree; its exit comes back here',
      disabled: (model) => (thingsOf(model).worktree ? undefined : 'there is no worktree'),
      run(model) {
        const { worktree } = thingsOf(model);
        return worktree ? step(model, { type: 'shell', ...worktree }) : step(model);
      },
    },
  ];
}

/** One alone is not asked for. */
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
const opened = ({ what, path, as, root }: Openable): Command => ({ type: 'open', what, path, as, root });

/** Of each text or path the first name it has; what is empty is none. */
export function together(...all: readonly Things[]): Things {
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
