import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../../build/generate.ts';
import { SETTINGS, VARIABLES } from '../../schemas/config/settings.ts';
import { CATALOGUE } from '../../schemas/errors.ts';
import { EVENTS } from '../../schemas/events/index.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { METHODS } from '../../schemas/rpc/methods/index.ts';
import { GLOBAL } from '../../tui/keys/global.ts';
import { ALL_SCREENS } from '../../tui/screens/index.ts';

const files = generatedFiles();

describe('generated documents', () => {
  it.each(Object.keys(files))('%s is what the declarations make (else: npm run generate)', (path) => {
    expect(readFileSync(join(packageRoot(), path), 'utf8')).toBe(files[path]);
  });

  it('come out the same twice', () => {
    expect(generatedFiles()).toEqual(files);
  });

  it('leave nothing out', () => {
    for (const errorCode of Object.keys(CATALOGUE)) expect(files['docs/errors.md']).toContain(`| \`${errorCode}\` |`);
    for (const { type } of EVENTS) expect(files['docs/events.md']).toContain(`| \`${type}\` |`);
    for (const { help } of [...GLOBAL, ...ALL_SCREENS.flatMap(({ bindings }) => bindings)]) {
      expect(files['docs/keys.md']).toContain(help.replaceAll('|', String.raw`\|`));
    }
    for (const { name } of METHODS) expect(files['docs/rpc.md']).toContain(`## ${name}\n`);
    for (const { path, purpose } of SETTINGS) {
      const shown = path.replace(/^backends\.\w+/, 'backends.<id>');
      expect(files['docs/config.md']).toMatch(new RegExp(`^\\| \`${shown}\` \\|`, 'm'));
      expect(files['docs/config.md']).toContain(`| ${purpose} |`);
    }
    for (const name of [...VARIABLES.keys()]) expect(files['docs/config.md']).toContain(`\`${name}\``);
  });

  it('are those that CI compares with what is committed', () => {
    const [, compared] = /^GENERATED=\((.*)\)$/m.exec(readFileSync(join(packageRoot(), '.ci/run'), 'utf8')) ?? [];
    const schemas = (path: string) => (path.startsWith('schemas/') ? dirname(path) : path);
    expect(compared?.split(' ').sort()).toEqual([...new Set(Object.keys(files).map(schemas))].sort());
  });

  it('name no place of this machine', () => {
    expect(files['docs/config.md']).toContain('| `<data>/workspaces` |');
    expect(files['docs/config.md']).not.toContain(homedir());
    // The rendered page would swallow a `<data>` that is not code.
    expect(files['docs/config.md']?.replace(/<!--.*-->/, '').replaceAll(/`[^`]*`/g, '')).not.toContain('<');
  });

  it('write key formulas with a name for each fact', () => {
    expect(files['docs/events.md']).toContain('`artifact.timeout:<phaseId>:<attempt>:<path>`');
    expect(files['docs/events.md']).toContain('`run.paused:<runId>:<cause>`');
    expect(files['docs/events.md']).toContain('`merge.landed:<phaseId>:<to>:<lanes[0]>`');
    expect(files['docs/events.md']).toContain('`iteration.started:<phaseId>:<round>`');
    expect(files['docs/events.md']).not.toMatch(/undefined|\[object/);
  });

  it('write key formulas of facts that the event has', () => {
    const rows = [...(files['docs/events.md'] ?? '').matchAll(/^\| `([a-z_.]+)` \| `(.*?)` \| (.*) \|$/gm)];
    expect(new Set(rows.map(([, type]) => type))).toEqual(new Set(EVENTS.map(({ type }) => type)));
    for (const [, type = '', key = '', payload = ''] of rows) {
      const fields = new Set([...payload.matchAll(/`(\w+)\??:/g)].map(([, name]) => name));
      const named = [...key.matchAll(/<(\w+)(?:\[0\])?>/g)].map(([, name = '']) => name);
      expect(key.replaceAll(/<\w+(?:\[0\])?>/g, ''), type).not.toMatch(/[<>]/);
      expect(
        named.filter((name) => !['runId', 'phaseId'].includes(name) && !fields.has(name)),
        type,
      ).toEqual([]);
    }
  });
});
