import type { Binding } from '../model/binding.ts';
import { field } from '../model/field.ts';
import { type Model, type Step, step } from '../model/model.ts';
import type { ScreenState } from '../model/place.ts';
import { type Line, textOf } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';

export interface ChangedFile {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
}

export interface FileJumpState {
  /** The file jumped to, and the first visible line then. Near the end, one view shows several files. */
  readonly file?: { readonly row: number; readonly top: number } | undefined;
}

export interface FileJumps {
  readonly bindings: readonly Binding[];
  /** The number of the current file; undefined above the first. */
  nth(model: Model): number | undefined;
  count(model: Model): number;
  /** The row where the current file begins. */
  row(model: Model): number | undefined;
}

/** The rows where files begin. No line of a file begins like this: git puts a sign before each. */
const headRows = memoize((lines: readonly Line[]): readonly number[] =>
  lines.flatMap((each, row) => (textOf(each).startsWith('diff --git ') ? [row] : [])),
);

/** Jumps between the files of a patch. `files` has the order of the patch. */
export function createFileJumps(options: {
  name: string;
  state: ScreenState<FileJumpState>;
  files(model: Model): readonly ChangedFile[];
  /** All lines of the patch, also while it is not shown. */
  lines(model: Model): readonly Line[];
  topOf(model: Model): number;
  /** Shows the patch from that row on. */
  show(model: Model, row: number): Model;
  isShown(model: Model): boolean;
}): FileJumps {
  const { name, state, files, lines, topOf, show, isShown } = options;
  const rows = (model: Model) => headRows(lines(model));

  function nth(model: Model): number | undefined {
    if (!isShown(model)) return undefined;
    const top = topOf(model);
    const { file } = state.get(model);
    const at = rows(model).findLastIndex((row) => row <= (file?.top === top ? file.row : top));
    return at < 0 ? undefined : at;
  }

  function go(model: Model, to: number): Step {
    const row = rows(model)[to];
    if (row === undefined) return step(model);
    const shown = show(model, row);
    return step(state.set(shown, { file: { row, top: topOf(shown) } }));
  }

  function pick(model: Model): Step {
    const choices = files(model)
      .slice(0, rows(model).length)
      .map(({ path, insertions, deletions }, at) => ({
        value: String(at),
        label: path,
        description: `+${insertions} −${deletions}`,
      }));
    const then = (after: Model, value: string) => go(after, Number(value));
    return step({
      ...model,
      overlay: { kind: 'choose', title: 'Files', choices, field: field(), selected: nth(model) ?? 0, then },
    });
  }

  const jump = (id: string, key: string, by: 1 | -1, help: string): Binding => ({
    id: `${name}.${id}`,
    keys: [key],
    label: id,
    help,
    disabled(model) {
      const count = rows(model).length;
      if (count === 0) return 'no code changed';
      const to = (nth(model) ?? -1) + by;
      return to < 0 ? 'this is the first file' : to >= count ? 'this is the last file' : undefined;
    },
    run: (model) => go(model, (nth(model) ?? -1) + by),
  });

  return {
    bindings: [
      jump('next file', '}', 1, 'Go to the next changed file'),
      jump('previous file', '{', -1, 'Go to the previous changed file'),
      {
        id: `${name}.files`,
        keys: ['f'],
        label: 'files',
        help: 'Choose a changed file and go to it',
        disabled: (model) => (rows(model).length > 0 ? undefined : 'no code changed'),
        run: pick,
      },
    ],
    nth,
    count: (model) => rows(model).length,
    row(model) {
      const at = nth(model);
      return at === undefined ? undefined : rows(model)[at];
    },
  };
}
