import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevflowError } from '../schemas/errors.ts';
import type { Env } from '../schemas/paths.ts';

/** The text after the person's editor ($VISUAL, $EDITOR, vi) was closed. Call with the terminal lent. */
export async function editText(text: string, suffix: string, env: Env = process.env): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'devflow-edit-'));
  const file = join(directory, `text${suffix}`);
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(env.VISUAL || env.EDITOR || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Editors are commands with words of their own (`code --wait`), so a shell reads the variable, as git does it. */
function runEditor(command: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const message = `the editor (${command}) ended with ${code}`;
      reject(new DevflowError('usage', message, { recoveryHint: 'Set EDITOR to the one you use.' }));
    });
  });
}
