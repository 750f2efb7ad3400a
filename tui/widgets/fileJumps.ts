import type { Binding } from '../model/binding.ts';
import { field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { ScreenState } from '../model/state.ts';
import { type Step, step } from '../model/step.ts';
import { type Line, textOf } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';

export interface ChangedFile {
  readonly path: string;
  readonly insertions: number;
  readonly deletions: number;
}

export interface FileJumpState {
  /** The file last gone to, and where the text then began: near the end several files are seen from one place. */
  readonly file?: { readonly row: number; readonly top: number } | undefined;
}

export interface FileJumps {
  readonly bindings: readonly Binding[];
  /** The file that is read; undefined above the first. */
  nth(model: Model): number | undefined;
  count(model: Model): number;
  /** The row of its head, to be marked. */
  row(model: Model): number | undefined;
}

/** No line of a file begins so: git puts a sign before each. */
const headRows = memoize((lines: readonly Line[]): readonly number[] =>
  lines.flatMap((each, row) => (textOf(each).startsWith('diff --git ') ? [row] : [])),
);

/** From file to file in a patch. Its files are in the order of their heads. */
export function createFileJumps(options: {
  name: string;
  state: ScreenState<FileJumpState>;
  files(model: Model): readonly ChangedFile[];
  /** All lines of the patch, whether it is shown or not. */
  lines(model: Model): readonly Line[];
  topOf(model: Model): number;
  /** Shows the patch, that row first. */
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
    ...{ id: `${name}.${id}`, keys: [key], label: id, help },
    disabled(model) {
      const count = rows(model).length;
      if (count === 0) return 'no code is changed here';
      const to = (nth(model) ?? -1) + by;
      return to < 0 ? 'it is the first' : to >= count ? 'it is the last' : undefined;
    },
    run: (model) => go(model, (nth(model) ?? -1) + by),
  });

  return {
    bindings: [
      jump('next file', '}', 1, 'Go to the next file of the changed code'),
      jump('previous file', '{', -1, 'Go to the file before'),
      {
        ...{ id: `${name}.files`, keys: ['f'], label: 'files' },
        help: 'Choose one of the changed files, each with its counts, and go there',
        disabled: (model) => (rows(model).length > 0 ? undefined : 'no code is changed here'),
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
