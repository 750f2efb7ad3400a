import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeReport } from '../../../daemon/report/compose.ts';
import { writeReport } from '../../../daemon/report/write.ts';
import { reportPaths } from '../../../schemas/files/paths.ts';
import { givenRun, RUN_ID } from './givenRun.ts';

const root = process.getuid?.() === 0;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devflow-report-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const report = (over: Parameters<typeof givenRun>[0] = {}) =>
  composeReport({ run: givenRun(over), events: [], findings: [] });

describe('writeReport', () => {
  it('replaces both files and leaves no others', async () => {
    const files = reportPaths(home, RUN_ID);
    await writeReport(files, report({ requirementsMd: 'old' }));
    const { json, markdown } = report();
    await writeReport(files, { json, markdown });
    expect(JSON.parse(readFileSync(files.json, 'utf8'))).toEqual(JSON.parse(JSON.stringify(json)));
    expect(readFileSync(files.md, 'utf8')).toBe(markdown);
    expect(readdirSync(join(home, RUN_ID)).sort()).toEqual([`${RUN_ID}.report.json`, `${RUN_ID}.report.md`]);
  });

  it('refuses an invalid report before it writes anything', async () => {
    await expect(writeReport(reportPaths(home, RUN_ID), report({ endedAt: null }))).rejects.toMatchObject({
      code: 'internal_state_corruption',
      message: expect.stringContaining('/endedAt'),
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it('throws workspace_permissions without write permission', async () => {
    const closed = join(home, 'closed');
    mkdirSync(closed);
    // Nobody can write files to /proc, not even root.
    chmodSync(closed, 0o500);
    const place = root ? '/proc/self/fdinfo' : closed;
    const files = { md: join(place, 'x.md'), json: join(place, 'x.json') };
    const attempt = writeReport(files, report());
    if (root) await expect(attempt).rejects.toThrow();
    else await expect(attempt).rejects.toMatchObject({ code: 'workspace_permissions' });
    chmodSync(closed, 0o700);
    expect(readdirSync(closed)).toEqual([]);
  });
});

describe.skipIf(!canMount())('writeReport on a full disk', () => {
  let disk: string;
  beforeEach(() => {
    disk = join(home, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  });
  afterEach(() => {
    execFileSync('umount', [disk]);
  });

  it('throws disk_full, keeps the old report, and leaves no draft', async () => {
    const files = { md: join(disk, 'r.md'), json: join(disk, 'r.json') };
    const before = report();
    await writeReport(files, before);
    const large = report({ requirementsMd: 'x'.repeat(100_000) });
    await expect(writeReport(files, large)).rejects.toMatchObject({
      code: 'disk_full',
      class: 'human_required',
      message: expect.stringContaining(disk),
    });
    expect(readdirSync(disk).sort()).toEqual(['r.json', 'r.md']);
    expect(readFileSync(files.md, 'utf8')).toBe(before.markdown);
  });

  it('leaves no files, and succeeds once there is space', async () => {
    const files = { md: join(disk, 'r.md'), json: join(disk, 'r.json') };
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(64 * 1024 - 4096));
    await expect(writeReport(files, report())).rejects.toMatchObject({ code: 'disk_full' });
    expect(readdirSync(disk)).toEqual(['ballast']);
    rmSync(join(disk, 'ballast'));
    await writeReport(files, report());
    expect(readdirSync(disk).sort()).toEqual(['r.json', 'r.md']);
  });
});

/** A real full disk needs a file system of its own, which only root can mount (and not in every container). */
function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'devflow-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
