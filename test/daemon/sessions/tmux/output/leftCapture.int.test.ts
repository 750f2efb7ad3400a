import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  type OutputPart,
  type TailOptions,
  tailOutput,
} from '../../../../../daemon/sessions/tmux/output/outputTail.ts';
import { until } from '../../../../helpers/until.ts';

/** A directory with output of two epochs. The capture process of the first one still runs, and stores nothing. */
async function given() {
  const directory = mkdtempSync(join(tmpdir(), 'left-'));
  const capture = spawn('split', ['-b', '1000', '-a', '6', '-d', '-', `${directory}/00000001.`]);
  onTestFinished(async () => {
    const ended = once(capture, 'exit');
    capture.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true });
  });
  appendFileSync(join(directory, '00000001.000000'), 'a');
  appendFileSync(join(directory, '00000002.000000'), 'b');
  const parts: OutputPart[] = [];
  const follow = (options: Partial<TailOptions>) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const read = async () => {
      for await (const part of tailOutput({ directory, fromOffset: 0, signal: stop.signal, ...options }))
        parts.push(part);
    };
    return read();
  };
  const read = () => parts.map(({ bytes, mark }) => (mark?.kind === 'gap' ? `<${mark.reason}>` : String(bytes)));
  return { follow, read };
}

const GAP = '<the process that stored the earlier output still ran, for a pane that devflow no longer reads>';

it('goes on to newer output, with a mark, when an earlier capture process stays and stores nothing', async () => {
  const { follow, read } = await given();
  void follow({ leftMs: 50 });
  await until('the newer output is read', () => read().length === 3);
  expect(read()).toEqual(['a', GAP, 'b']);
});

it('goes on without a mark for a reader that wants none', async () => {
  const { follow, read } = await given();
  void follow({ leftMs: 50, unmarked: true });
  await until('the newer output is read', () => read().length === 2);
  expect(read()).toEqual(['a', 'b']);
});

it('reads the newer output also of a pane that is gone', async () => {
  const { follow, read } = await given();
  await follow({ drain: AbortSignal.abort() });
  expect(read()).toEqual(['a', GAP, 'b']);
});
