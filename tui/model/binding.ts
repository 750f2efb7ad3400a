import type { Model, Step } from './model.ts';

/** One action and its keys, as data. The footer, the help, the palette and docs/keys.md are made from these. */
export interface Binding {
  /** Such as `runs.pause`. */
  readonly id: string;
  /** As the terminal names them: `j`, `J`, `C-d`, `enter`, `down`, ` ` for the space bar. Empty: only in the palette. */
  readonly keys: readonly string[];
  /** One or two words, for the footer. */
  readonly label: string;
  /** One sentence, for the help and docs/keys.md. */
  readonly help: string;
  /** True for the few bindings that the footer shows. */
  readonly footer?: boolean;
  /** True for movement within the screen, which the palette lists after actions. */
  readonly movement?: true;
  /** False hides it and frees its keys for other bindings. */
  when?(model: Model): boolean;
  /** Why it cannot run now; undefined when it can. */
  disabled?(model: Model): string | undefined;
  run(model: Model): Step;
}

/** A key as a person reads it: `Ctrl-D`, `PgUp`. */
export function keyName(key: string): string {
  const names: Readonly<Record<string, string>> = {
    ' ': 'Space',
    enter: 'Enter',
    escape: 'Esc',
    tab: 'Tab',
    'S-tab': 'Shift-Tab',
    up: '↑',
    down: '↓',
    left: '←',
    right: '→',
    pageup: 'PgUp',
    pagedown: 'PgDn',
    home: 'Home',
    end: 'End',
    insert: 'Ins',
    delete: 'Del',
    backspace: 'Backspace',
  };
  const written = names[key] ?? key.replace(/^f(?=\d)/, 'F').replace(/^S-(?=.)/, 'Shift-');
  return written.replace(/^C-(.*)$/, (_, letter: string) => `Ctrl-${letter.toUpperCase()}`);
}

/** The same bindings, only while `isShown`. */
export function bindingsWhile(isShown: (model: Model) => boolean, bindings: readonly Binding[]): Binding[] {
  return bindings.map((each) => ({ ...each, when: (model) => isShown(model) && (each.when?.(model) ?? true) }));
}

/** Makes the bindings that move within a list or a text. `name` begins their ids. */
export function movementBindings(name: string) {
  return (label: string, keys: string[], help: string, run: (model: Model) => Step): Binding => ({
    id: `${name}.${label}`,
    keys,
    label,
    help,
    run,
    movement: true,
  });
}
