import type { Model } from './model.ts';
import type { Step } from './step.ts';

/** One thing a person can do, as data: footer, help, palette and docs/keys.md are made of these. */
export interface Binding {
  /** `runs.pause`: the palette and the documents name it by this. */
  readonly id: string;
  /** As the terminal names them: `j`, `J`, `C-d`, `enter`, `down`; ` ` is the space bar. Empty: by palette alone. */
  readonly keys: readonly string[];
  /** One or two words, for the footer. */
  readonly label: string;
  /** A sentence, for help and documents. */
  readonly help: string;
  /** True for the few that the footer shows. */
  readonly footer?: boolean;
  /** True for moving within the screen, which nobody looks for in the palette. */
  readonly movement?: true;
  /** Where it stands for anything at all; elsewhere its keys are free for others, and nobody is told of it. */
  when?(model: Model): boolean;
  /** Why it cannot be done now; undefined when it can. */
  disabled?(model: Model): string | undefined;
  run(model: Model): Step;
}

/** How a key is written for a person. */
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
