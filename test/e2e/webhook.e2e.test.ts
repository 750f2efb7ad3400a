import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { signature } from '../../daemon/notify/webhook/sign.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { proveEnd } from './support.ts';

const SECRET = 'a-long-random-text';

test('news reaches the webhook, signed, and after a kill what it did not take', async () => {
  const got: { signature: unknown; expected: string; body: Record<string, unknown>; raw: string }[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const expected = signature(SECRET, String(request.headers['x-devflow-timestamp']), raw);
    got.push({ signature: request.headers['x-devflow-signature'], expected, body: JSON.parse(raw), raw });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const env = {
    DEVFLOW_NOTIFY_WEBHOOK_URL: `http://127.0.0.1:${port}/hooks/a-secret-path`,
    DEVFLOW_NOTIFY_WEBHOOK_SECRET: SECRET,
  };
  const daemon = await startDaemon({ env });
  const ofKind = (kind: string) => got.filter(({ body }) => body.kind === kind);
  const repo = daemon.repo();
  const runId = await startRun(daemon, { repo: repo.dir, requirements: 'Greet <!channel>.' });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  await until('the gate is told', () => ofKind('decision').length === 1);
  const [gate] = ofKind('decision');
  expect(gate?.signature).toBe(gate?.expected);
  expect(gate?.body).toMatchObject({
    runId,
    repo: expect.any(String),
    how: expect.stringMatching(/^devflow approval show/),
  });
  expect(gate?.raw).not.toContain(daemon.root);
  expect(gate?.raw).not.toContain('<!channel>');
  const waits = async () => (await daemon.call('daemon.status', {})).webhook;
  await until('nothing waits', async () => (await waits())?.waiting === 0);
  expect(await waits()).toEqual({ host: '127.0.0.1', waiting: 0, since: null, problem: null });

  status = 500;
  await daemon.call('run.abort', { runId });
  await until('the end is refused', () => ofKind('run_ended').length > 0);
  await until('it waits', async () => (await waits())?.problem === 'HTTP 500');
  expect((await daemon.cli(['status'])).stdout).toMatch(/webhook +127\.0\.0\.1: 1 notice waits since .+ \(HTTP 500\)/);
  await daemon.kill('SIGKILL');
  status = 204;
  const before = ofKind('run_ended').length;
  await daemon.start();
  await until('the end is told', () => ofKind('run_ended').length > before);
  await until('nothing waits', async () => (await waits())?.waiting === 0);
  expect(new Set(ofKind('run_ended').map(({ body }) => body.id)).size).toBe(1);
  expect(ofKind('decision')).toHaveLength(1);
  await proveEnd(daemon, runId, 'aborted');
});
