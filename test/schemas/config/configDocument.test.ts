import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXAMPLE, settingTables, timeInWords } from '../../../schemas/config/configDocument.ts';
import { loadConfig } from '../../../schemas/config/configLoad.ts';
import { SETTINGS, Settings, VARIABLES } from '../../../schemas/config/settings.ts';

const tables = settingTables();
const rows = tables.flatMap((table) => table.rows);

function load(text = '') {
  const home = mkdtempSync(join(tmpdir(), 'devflow-config-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, 'config.yaml'), text);
  return loadConfig({ DEVFLOW_HOME: home, PATH: '' });
}

describe('the reference of settings', () => {
  test('has every setting once, and the sections first', () => {
    const paths = SETTINGS.map(({ path }) => path.replace(/^backends\.\w+/, 'backends.<id>'));
    const sections = Object.keys(Settings.shape).filter((key) =>
      SETTINGS.some(({ path }) => path.startsWith(`${key}.`)),
    );
    expect(rows.map(({ path }) => path).sort()).toEqual([...new Set(paths)].sort());
    expect(tables.map(({ title }) => title)).toEqual([...sections, 'The rest']);
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...VARIABLES.keys()].sort());
  });

  test.each(rows)('$path: says what is allowed, and its purpose in one sentence', ({ allowed, purpose }) => {
    expect(allowed).not.toBe('');
    expect(purpose).toMatch(/^[A-Z].*[^.]\.$/);
    expect(purpose).not.toMatch(/\. [A-Z]/);
  });

  test('has the defaults that a process without settings has', () => {
    const { sources } = load();
    const known = Object.keys(sources).map((path) => path.replace(/^backends\.\w+/, 'backends.<id>'));
    const withDefault = rows.filter(({ byDefault }) => byDefault !== undefined).map(({ path }) => path);
    expect(new Set(known.filter((path) => path !== 'notify'))).toEqual(new Set(withDefault));
  });

  test('has an example that is a valid config.yaml', () => {
    const config = load(EXAMPLE);
    expect(config).toMatchObject({
      maxConcurrentRuns: 2,
      backends: { gemini: { enabled: false }, claude: { env: { ANTHROPIC_BASE_URL: expect.any(String) } } },
      recovery: { artifactTimeoutMs: 3_600_000 },
      notify: { command: ['notify-send', '--app-name=devflow'], tmux: 'message' },
    });
  });

  test.each([
    [0, '0 milliseconds'],
    [50, '50 milliseconds'],
    [1000, '1 second'],
    [1500, '1,500 milliseconds'],
    [120_000, '2 minutes'],
    [90_000, '90 seconds'],
    [3_600_000, '1 hour'],
  ])('%d ms are %s', (ms, words) => {
    expect(timeInWords(ms)).toBe(words);
  });
});
