import { describe, expect, it } from 'vitest';
import { field } from '../../../tui/model/field.ts';
import { type Command, type Model, type Overlay, step } from '../../../tui/model/model.ts';
import { toast } from '../../../tui/model/toast.ts';
import { commonPrefix } from '../../../tui/overlays/input.ts';
import { matchingActions } from '../../../tui/overlays/palette.ts';
import { givenModel, press, seen, typing } from '../given.ts';

const withOverlay = (overlay: Overlay, model = givenModel()): Model => ({ ...model, overlay });

describe('a confirmation', () => {
  const overlay: Overlay = {
    kind: 'confirm',
    question: 'Abort the run 1234?',
    detail: `Its worktree stays. ${'More is said of it. '.repeat(60)}`,
    ...({ yes: 'X', label: 'abort it' } as const),
    then: (model) => step(toast(model, 'good', 'done')),
  };

  it('confirms only with its own key', () => {
    expect(press(withOverlay(overlay), 'X').model).toMatchObject({ overlay: undefined, toasts: [{ text: 'done' }] });
    for (const key of ['enter', 'y', 'x', 'escape', ' ', 'C-c', 'down']) {
      expect(press(withOverlay(overlay), key).model, key).toMatchObject({ overlay: undefined, toasts: [] });
    }
  });

  it('says what will happen, and always shows its keys', () => {
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 60, rows: 15 },
    ]) {
      const text = seen(withOverlay(overlay, givenModel({ screen: 'runs' }, size)));
      expect(text).toContain('Abort the run 1234?');
      expect(text).toContain('X abort it   any other key cancel');
      expect(text).toContain('╯');
    }
  });
});

describe('a typed line', () => {
  const overlay = (more: object = {}): Overlay => ({
    ...({ kind: 'input', title: 'Path', field: field(), mayBeEmpty: false } as const),
    then: (model, text) => step(toast(model, 'good', `got ${text}`)),
    ...more,
  });
  const complete = (commands: readonly Command[]) => commands[0] as Extract<Command, { type: 'complete' }>;

  it('is confirmed with Enter unless empty, and cancelled with Escape', () => {
    expect(press(withOverlay(overlay()), 'enter').model.overlay?.kind).toBe('input');
    expect(press(withOverlay(overlay()), ...typing('ab '), 'enter').model.toasts[0]?.text).toBe('got ab');
    expect(press(withOverlay(overlay()), 'a', 'escape').model).toMatchObject({ overlay: undefined, toasts: [] });
  });

  it('is one line: Ctrl-J confirms as Enter does', () => {
    expect(press(withOverlay(overlay()), 'a', 'C-j').model.toasts[0]?.text).toBe('got a');
    expect(seen(withOverlay(overlay()))).not.toContain('Ctrl-J');
  });

  it('may have several lines and an editor, and names the keys of both', () => {
    const several = withOverlay(
      overlay({ manyLines: true, editor: (model: Model, text: string) => step(toast(model, 'good', `edit ${text}`)) }),
    );
    expect(seen(several)).toContain('Enter send   Ctrl-J new line   Ctrl-E $EDITOR   Esc cancel');
    const typed = press(several, 'a', 'C-j', 'b').model;
    expect(seen(typed)).toMatch(/│ a +│\n.*│ b/);
    expect(press(typed, 'enter').model.toasts[0]?.text).toBe('got a\nb');
    expect(press(typed, 'C-e').model).toMatchObject({ overlay: undefined, toasts: [{ text: 'edit a\nb' }] });
    const long = press(several, ...Array.from({ length: 60 }, (_, nth) => ['C-j', String(nth % 10)]).flat()).model;
    expect(seen(long)).toContain('Enter send');
    expect(seen(long)).toMatch(/│ 9 +│/);
  });

  it('completes the common prefix of names, and shows them', () => {
    const { model, commands } = press(withOverlay(overlay({ complete: 'directories', field: field('/r') })), 'tab');
    expect(complete(commands)).toMatchObject({ type: 'complete', path: '/r', only: 'directories' });
    const after = complete(commands).then(model, ['/repo-a/', '/repo-b/']).model;
    expect(after.overlay).toMatchObject({ field: { text: '/repo-' } });
    expect(seen(after)).toContain('repo-a/  repo-b/');
    expect(seen(complete(commands).then(model, ['/repo/']).model)).toContain('/repo/');
    expect(seen(complete(commands).then(model, []).model)).toContain('No name starts like this.');
    // The path changed meanwhile: the names do not complete it.
    const typed = press(model, 'x').model;
    expect(complete(commands).then(typed, ['/repo/']).model).toEqual(typed);
    expect(complete(commands).then(givenModel(), ['/repo/']).model.overlay).toBeUndefined();
  });

  it('finds the common prefix of names', () => {
    expect(commonPrefix(['/ab/', '/abc/', '/abd/'])).toBe('/ab');
    expect(commonPrefix(['/日本', '/日光'])).toBe('/日');
    expect(commonPrefix(['/x'])).toBe('/x');
    expect(commonPrefix([])).toBe('');
  });
});

describe('a choice', () => {
  const overlay: Overlay = {
    ...({ kind: 'choose', title: 'Fruit', field: field(), selected: 0 } as const),
    choices: ['apple', 'pear', 'grape'].map((value) => ({ value, label: value })),
    then: (model, value) => step(toast(model, 'good', value)),
  };
  const chosen = (...keys: string[]) => press(withOverlay(overlay), ...keys).model.toasts[0]?.text;

  it('is made by moving or by typing a part of the name', () => {
    expect(chosen('enter')).toBe('apple');
    expect(chosen('down', 'down', 'down', 'enter')).toBe('grape');
    expect(chosen('p', 'e', 'enter')).toBe('pear');
    expect(chosen('x', 'enter')).toBeUndefined();
    expect(seen(press(withOverlay(overlay), 'x').model)).toContain('Nothing matches.');
  });
});

describe('the palette', () => {
  it('lists actions before movement, and disabled actions last with the reason', () => {
    const found = matchingActions(givenModel(), '');
    const order = found.map((each) => (each.disabled?.(givenModel()) !== undefined ? 2 : each.movement ? 1 : 0));
    expect(order).toEqual([...order].sort());
    expect(seen(press(givenModel(), ':', ...typing('back')).model)).toContain(
      'not now: there is nothing to go back to',
    );
  });

  it('goes to any screen by its name', () => {
    for (const [name, screen] of Object.entries({ doctor: 'doctor', templ: 'templates', 'new run': 'new' })) {
      expect(press(givenModel(), ':', ...typing(name), 'enter').model.place.screen).toBe(screen);
    }
  });

  it('runs no disabled action', () => {
    const { model } = press(givenModel(), ':', ...typing('back'), 'enter');
    expect(model.overlay?.kind).toBe('palette');
  });
});

describe('the help of a screen', () => {
  it('lists its keys, scrolls to the end in a small terminal, and closes with any other key', () => {
    const small = givenModel({ screen: 'runs' }, { columns: 60, rows: 15 });
    const open = press(small, '?').model;
    expect(seen(open)).toMatch(/Keys: Runs[\s\S]*more lines/);
    const end = press(open, 'G').model;
    expect(seen(end)).toContain('End; any');
    expect(seen(end)).toContain('Close the dashboard');
    // It stops at its end: one key up scrolls one line.
    expect(seen(press(end, 'j', 'j', 'k').model)).not.toContain('End; any');
    expect(press(end, 'x').model.overlay).toBeUndefined();
  });
});
