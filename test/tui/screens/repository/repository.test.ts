import { describe, expect, it } from 'vitest';
import type { CallCommand, Model } from '../../../../tui/model/model.ts';
import { answerOf } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { settingsQuery } from '../../../../tui/screens/repository/shownRepository.ts';
import { SETTINGS } from '../../captures/showcaseSettings.ts';
import { givenModel, press, seen } from '../../given.ts';

const NO_FAULTS = { files: [] };

function given(show: object, check: object = { value: NO_FAULTS }, id?: string): Model {
  const model = givenModel({ screen: 'repository', ...(id && { id }) }, { columns: 100, rows: 50 });
  const [shown, checked] = screenOf(model).queries(model);
  return {
    ...model,
    data: new Map(model.data).set(shown?.key ?? '', show).set(checked?.key ?? '', check),
  };
}

describe('the page of a repository', () => {
  it('says what holds and from which file, and what is not allowed yet', () => {
    const text = seen(given({ value: SETTINGS }));
    expect(text).toMatch(/repository +\/home\/ada\/greeting\n/);
    expect(text).toMatch(/base +main at 5f0c2a9be1d3/);
    expect(text).toMatch(/devflow\.yaml +in this commit/);
    expect(text).toMatch(/your file +none \(\/home\/ada\/\.config\/devflow\/repositories\/greeting\.yaml\)/);
    expect(text).toMatch(/verify +npm test {2}guess: package\.json:7/);
    expect(text).toMatch(/backends\.implementer +claude {2}devflow\.yaml:2/);
    expect(text).toMatch(/Needs your consent\n +\? not allowed yet\n +copy \.env\.local \(devflow\.yaml:4\)\n/);
    expect(text).toMatch(/✓ allowed\n +check with npm test/);
    expect(text).toMatch(/Set-up of worktrees\n +none/);
    expect(text).not.toContain('repository init');
  });

  it('shows how worktrees are set up, and how to write a file where there is none', () => {
    const setup = {
      isGuess: true,
      copy: ['.env.local'],
      clone: ['/node_modules'],
      link: [],
      commands: [{ argv: ['npm', 'ci'], unlessCloned: { directory: 'node_modules', lock: 'package-lock.json' } }],
      again: ['package-lock.json'],
      teardown: [['docker', 'compose', 'down']],
      ports: ['PORT'],
      env: { NODE_ENV: 'test' },
    };
    const text = seen(given({ value: { ...SETTINGS, hasFile: false, setup } }));
    expect(text).toContain('devflow repository init writes one with comments');
    expect(text).toMatch(/runs +npm ci {2}\(not if node_modules is cloned\)/);
    expect(text).toMatch(/copied +\.env\.local[\s\S]*cloned +\/node_modules[\s\S]*at the end +docker compose down/);
    expect(text).toMatch(/ports +PORT\n +variables +NODE_ENV=test/);
  });

  it("says which file of the person's needs no consent", () => {
    const person = { ...SETTINGS.person, exists: true };
    const consents = SETTINGS.consents.map((each) => ({ ...each, from: [person.path] }));
    expect(seen(given({ value: { ...SETTINGS, person, consents } }))).toMatch(/Rename it to\s+greeting-0c9f1e2a\.yaml/);
    expect(seen(given({ value: { ...SETTINGS, person } }))).not.toContain('Rename');
  });

  it('lists faults with their lines, once', () => {
    const error = { code: 'settings_invalid', message: 'devflow.yaml:3:1: verfiy is unknown.', hint: 'Fix it.' };
    const faults = ['devflow.yaml:3:1: verfiy: is unknown'];
    const text = seen(given({ error }, { value: { files: [{ file: 'devflow.yaml', where: 'base', faults }] } }));
    expect(text).toMatch(/Faults\n +✗ devflow\.yaml:3:1: verfiy: is unknown \(base commit\)/);
    expect(text).not.toContain('settings_invalid');
    const none = seen(given({ error: { code: 'repo_invalid', message: 'No repository.', hint: 'Go to one.' } }, {}));
    expect(none).toMatch(/✗ No repository\. \(repo_invalid\)\n +→ Go to one\./);
  });

  it('shows escape sequences of a file as signs, and files of the person by their names', () => {
    const rows = [
      { key: 'sandbox', value: 'off', from: '/home/ada/.config/devflow/config.yaml' },
      { key: 'verify', value: [['echo', '\u001b[2J\nrm']], from: 'devflow.yaml', line: 1 },
    ];
    const text = seen(given({ value: { ...SETTINGS, rows } }));
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(/sandbox +off {2}config\.yaml\n +verify +\S*echo/);
  });

  it('asks before it allows exactly what is shown, and takes the answer', () => {
    const { model } = press(given({ value: SETTINGS }), 'a');
    expect(seen(model)).toMatch(/run npm ci[\s\S]*y allow +v never +any other key cancels/);
    expect(press(model, 'n').commands).toEqual([]);
    const { commands } = press(model, 'y');
    const allow = commands[0] as CallCommand<'repository.allow'>;
    expect(allow).toMatchObject({
      method: 'repository.allow',
      params: { repo: '/home/me/repo', hashes: SETTINGS.consents.map(({ hash }) => hash) },
    });
    const after = allow.then(model, { ...SETTINGS, consents: [] }).model;
    expect(answerOf(after.data, settingsQuery({ repo: '/home/me/repo' }))?.consents).toEqual([]);
    expect(after.toasts.at(-1)?.text).toBe('Allowed.');
    const [forbid] = press(model, 'v').commands as [CallCommand<'repository.forbid'>];
    expect(forbid.method).toBe('repository.forbid');
  });

  it('has nothing to decide where nothing needs consent', () => {
    const { model, commands } = press(given({ value: { ...SETTINGS, consents: [] } }), 'a');
    expect(commands).toEqual([]);
    expect(model.overlay).toBeUndefined();
    expect(model.toasts.at(-1)?.text).toContain('nothing needs your consent');
  });

  it('reads the files again, and is about the directory that opened it', () => {
    const model = given({ value: SETTINGS }, { value: NO_FAULTS }, '/srv/other');
    expect(screenOf(model).title(model)).toBe('Repository other');
    const { commands } = press(model, 'r');
    expect(commands).toMatchObject([
      { method: 'repository.show', params: { repo: '/srv/other' } },
      { method: 'repository.check', params: { repo: '/srv/other' } },
    ]);
    expect(press(givenModel({ screen: 'runs' }), '0').model.place).toEqual({ screen: 'repository' });
  });
});
