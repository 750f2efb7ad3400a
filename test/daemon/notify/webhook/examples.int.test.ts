import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { notifyByCommand } from '../../../../daemon/notify/notifyCommand.ts';
import { bodyOf, newsId } from '../../../../daemon/notify/webhook/body.ts';
import { deliver } from '../../../../daemon/notify/webhook/deliver.ts';
import type { News } from '../../../../daemon/notify/webhook/news.ts';
import { headersOf } from '../../../../daemon/notify/webhook/sign.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { eventually } from '../../../helpers/eventually.ts';

const SECRET = 'a-long-random-text';
const news: News = {
  kind: 'run_ended',
  key: 'ended:x',
  since: '2026-11-28T07:00:00.000Z',
  title: 'devflow: thing 3f9a: Grüße <!channel>',
  text: 'The run completed.',
  how: 'devflow run show 3f9a',
  run: { id: 'x', repo: 'thing', state: 'completed' },
};

/** The first block of docs/usage.md with this text in it. */
function example(language: string, part: string): string {
  const text = readFileSync(join(packageRoot(), 'docs', 'usage.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.find(([, its, block = '']) => its === language && block.includes(part));
  if (!found) throw new Error(`no example with ${part}`);
  return found[2] as string;
}

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-webhook-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('the documented receiver takes what devflow signed, once, and nothing else', async () => {
  const file = join(scratch(), 'receiver.mjs');
  writeFileSync(file, example('js', 'receiver.mjs'));
  const receiver = spawn(process.execPath, [file], {
    env: { SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void receiver.kill());
  let printed = '';
  receiver.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  await eventually(() => expect(printed).toMatch(/listening on \d+\n/));
  const url = `http://127.0.0.1:${/\d+/.exec(printed)?.[0]}/`;
  const body = bodyOf(news, new Date());
  const send = (at = new Date(), secret = SECRET, bytes = body) => {
    const headers = headersOf({ id: newsId(news), body }, at, secret);
    return deliver({ url, body: bytes, headers, signal: new AbortController().signal });
  };
  expect(await send()).toEqual({ is: 'taken' });
  expect(await send()).toEqual({ is: 'taken' });
  const refused = { is: 'refused', reason: 'HTTP 401' };
  expect(await send(new Date(Date.now() - 3_600_000))).toEqual(refused);
  expect(await send(new Date(), 'another-random-text')).toEqual(refused);
  expect(await send(new Date(), SECRET, `${body} `)).toEqual(refused);
  await eventually(() => expect(printed).toContain('The run completed.'));
  expect(printed.match(/The run completed\./g)).toHaveLength(1);
});

test('the body is what Slack takes: text, and in it no markup of an agent', () => {
  const body = JSON.parse(bodyOf(news, new Date()));
  expect(body.text).toBe('devflow: thing 3f9a: Grüße &lt;!channel&gt;\nThe run completed.\ndevflow run show 3f9a');
});

test('the documented command sends a title and a text to ntfy', async () => {
  const directory = scratch();
  const out = join(directory, 'out');
  writeFileSync(
    join(directory, 'curl'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${out}.part" && mv "${out}.part" "${out}"\n`,
  );
  chmodSync(join(directory, 'curl'), 0o755);
  vi.stubEnv('PATH', `${directory}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { notify } = parse(example('yaml', 'ntfy.sh')) as { notify: { command: string[] } };
  const log = { warn: vi.fn() };
  notifyByCommand({ command: notify.command, log })?.({ title: 'a "title"', text: '$(touch x); `id`' });
  await eventually(() => expect(existsSync(out)).toBe(true));
  expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toEqual([
    '-fsS',
    '-H',
    'Title: a "title"',
    '-d',
    '$(touch x); `id`',
    'https://ntfy.sh/my-secret-topic',
  ]);
  expect(log.warn).not.toHaveBeenCalled();
});
