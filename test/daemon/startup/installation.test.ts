import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readInstallation } from '../../../daemon/startup/installation.ts';

let stateDir = '';
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'devflow-installation-')), 'state');
});
afterEach(() => rmSync(join(stateDir, '..'), { recursive: true, force: true }));

test('an installation has the same id at every start, and a copy of it on another machine another one', () => {
  const here = readInstallation({ stateDir }, 'machine 1');
  expect(here).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), isOfMachine: true });
  expect(readInstallation({ stateDir }, 'machine 1')).toEqual(here);
  const there = readInstallation({ stateDir }, 'machine 2');
  expect(there.id).not.toBe(here.id);
  // A home on a network disk goes from machine to machine.
  expect(readInstallation({ stateDir }, 'machine 1')).toEqual(here);
});

test('says when nothing tells this machine from another one', () => {
  expect(readInstallation({ stateDir }, null)).toMatchObject({ isOfMachine: false });
});

test('an empty file is filled', () => {
  readInstallation({ stateDir }, 'machine 1');
  writeFileSync(join(stateDir, 'installation-id'), '');
  const { id } = readInstallation({ stateDir }, 'machine 1');
  expect(readFileSync(join(stateDir, 'installation-id'), 'utf8')).not.toBe('');
  expect(readInstallation({ stateDir }, 'machine 1').id).toBe(id);
});
