import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRegistry, type Registry } from '../../schemas/definitions/registry.ts';
import { isDiskFull } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { Report } from './compose.ts';

export interface ReportFiles {
  md: string;
  json: string;
}

const SCHEMA = 'common/final-report@1';

/**
 * Writes both files whole, or keeps the old ones: both are on the disk before either gets its name. Throws `disk_full`,
 * `workspace_permissions`, or `internal_state_corruption` for a report that is not valid.
 */
export async function writeReport(files: ReportFiles, report: Report, registry = builtinRegistry()): Promise<void> {
  assertValid(report, registry);
  const drafts = [
    { file: files.json, draft: draftOf(files.json), text: `${JSON.stringify(report.json, null, 2)}\n` },
    { file: files.md, draft: draftOf(files.md), text: report.markdown },
  ];
  try {
    for (const directory of new Set(drafts.map(({ file }) => dirname(file))))
      await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const { draft, text } of drafts) await writeDurably(draft, text);
    for (const { draft, file } of drafts) await rename(draft, file);
    for (const directory of new Set(drafts.map(({ file }) => dirname(file)))) await syncDirectory(directory);
  } catch (error) {
    await Promise.all(drafts.map(({ draft }) => rm(draft, { force: true }).catch(() => {})));
    throw writeFailure(files, report, error);
  }
}

function builtinRegistry(): Registry {
  return createRegistry({ builtinDir: join(packageRoot(), 'schemas', 'artifacts') });
}

function assertValid({ json }: Report, registry: Registry): void {
  const validation = registry.validateArtifact(SCHEMA, json);
  if (validation.ok) return;
  const faults = validation.errors.map(({ path, message }) => `${path || '/'} ${message}`).join('; ');
  throw new DevflowError('internal_state_corruption', `The final report is not valid against ${SCHEMA}: ${faults}.`, {
    runId: json.runId,
    data: { errors: validation.errors },
  });
}

/** In the same directory, so that the rename cannot cross a file system. The next write of the same process replaces it. */
function draftOf(file: string): string {
  return `${file}.${process.pid}.tmp`;
}

async function writeDurably(file: string, text: string): Promise<void> {
  // Remove an existing file, so that the write follows no link.
  await rm(file, { force: true });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function writeFailure(files: ReportFiles, { json }: Report, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const facts = { cause: error, runId: json.runId, data: { path: files.md } };
  const place = dirname(files.md);
  if (isDiskFull(error)) {
    return new DevflowError('disk_full', `There is no space left for the final report in ${place} (${code}).`, facts);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new DevflowError(
      'workspace_permissions',
      `The final report cannot be written to ${place}: no write access (${code}).`,
      facts,
    );
  }
  return error;
}
