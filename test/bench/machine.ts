import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { findBinaries } from '../../daemon/db/embedded/binaries.ts';
import { makeDirectory } from './place.ts';

/** The machine on which the figures were measured, as lines for a person. */
export function describeMachine(): Record<string, string> {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    processor: `${cpu?.model.trim() ?? 'unknown'}, ${cpus().length} cores`,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GB`,
    kernel: `${process.platform} ${release()}`,
    node: process.version,
    postgres: postgresVersion(),
    tmux: execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim(),
    load: `${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')} before it began (1, 5, 15 minutes)`,
  };
}

function postgresVersion(): string {
  const cache = makeDirectory();
  try {
    const { postgres } = findBinaries(cache, undefined);
    return execFileSync(postgres, ['--version'], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
