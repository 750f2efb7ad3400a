import type { Binding } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { openedReader } from './runOpened.ts';
import { sectionsOf, shownSection } from './runSections.ts';
import { runState, shownRun } from './shownRun.ts';

/** One set of keys for all sections: the section shown decides what a key does. */
const MOVEMENTS: readonly (readonly [id: string, keys: readonly string[], help: string])[] = [
  ['down', ['j', 'down'], 'Select the next item, or scroll down a line'],
  ['up', ['k', 'up'], 'Select the previous item, or scroll up a line'],
  ['page down', ['C-d', 'pagedown'], 'Go down a page'],
  ['page up', ['C-u', 'pageup'], 'Go up a page'],
  ['first', ['g', 'home'], 'Go to the beginning'],
  ['last', ['G', 'end'], 'Go to the end; in the events, follow new ones'],
  ['filter', ['/'], 'Filter a list by words, or search a text; Esc shows everything again'],
  [
    'sort',
    ['S'],
    'Sort findings, handovers, artifacts or commands by a column; the same column again reverses the order',
  ],
  ['reverse', ['I'], 'Reverse the order of the sorted column'],
];
/** Only a text has these. In a list, the keys keep their meaning from every other screen. */
const TEXT_MOVEMENTS: typeof MOVEMENTS = [
  ['next match', ['n'], 'In a text: go to the next match'],
  ['previous match', ['N'], 'In a text: go to the previous match'],
  ['next file', ['}'], 'In the changes: go to the next file'],
  ['previous file', ['{'], 'In the changes: go to the previous file'],
  ['files', ['f'], 'In the changes: choose a file and go to it'],
  ['right', ['>', 'L'], 'In the changes: scroll long lines right'],
  ['left', ['<', 'H'], 'In the changes: scroll long lines left'],
];

function shownMovements(model: Model): readonly Binding[] {
  return runState.get(model).opened ? openedReader.bindings : shownSection(model).bindings;
}

export const movementBindings: readonly Binding[] = [...MOVEMENTS, ...TEXT_MOVEMENTS].map(
  ([id, keys, help], nth): Binding => {
    const movement = (model: Model) => shownMovements(model).find((each) => each.keys.includes(keys[0] ?? ''));
    return {
      when: (model) => nth < MOVEMENTS.length || movement(model) !== undefined,
      id: `run.${id}`,
      keys,
      label: id,
      help,
      footer: id === 'filter',
      disabled(model) {
        const shown = movement(model);
        return shown ? shown.disabled?.(model) : 'this section does not support it';
      },
      run: (model) => movement(model)?.run(model) ?? step(model),
    };
  },
);

const toSection = (id: string, keys: readonly string[], by: 1 | -1, help: string): Binding => ({
  id: `run.${id}`,
  keys,
  label: id,
  help,
  footer: by === 1,
  run(model) {
    const sections = sectionsOf(shownRun(model));
    const at = sections.indexOf(shownSection(model));
    const next = sections[(at + by + sections.length) % sections.length];
    return step(runState.set(model, { section: next?.id ?? 'overview', opened: undefined }));
  },
});

export const sectionBindings: readonly Binding[] = [
  toSection('next section', ['tab', ']'], 1, 'Show the next section'),
  toSection('previous section', ['S-tab', '['], -1, 'Show the previous section'),
];
