import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Delivered, deliver } from '../../../../daemon/notify/webhook/deliver.ts';
import { headersOf, signature } from '../../../../daemon/notify/webhook/sign.ts';

const SECRET = 'correct horse battery';
const never = new AbortController().signal;
const body = '{"text":"Grüße"}';

/** A receiver on loopback. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void, host = '127.0.0.1') {
  const got: {
    url?: string | undefined;
    method?: string | undefined;
    headers: IncomingMessage['headers'];
    body: string;
  }[] = [];
  const server = createServer(async (request, response) => {
    const { url, method, headers } = request;
    got.push({ url, method, headers, body: await text(request) });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { got, server, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks/T0/secret-path?x=1` };
}

const post = (url: string, patienceMs?: number): Promise<Delivered> =>
  deliver({ url, body, headers: headersOf({ id: 'x', body }, new Date(0), SECRET), signal: never, patienceMs });

test('sends the bytes that it signs', async () => {
  const { got, url } = await receiver((_, response) => response.end('ok'));
  expect(await post(url)).toEqual({ is: 'taken' });
  expect(got).toMatchObject([{ method: 'POST', url: '/hooks/T0/secret-path?x=1', body }]);
  const { headers } = got[0] as (typeof got)[number];
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-devflow-id': 'x',
    'x-devflow-signature': signature(SECRET, String(headers['x-devflow-timestamp']), body),
  });
});

test.each([
  [500, 'failed'],
  [429, 'failed'],
  [404, 'refused'],
])('an answer with %i is %s', async (status, is) => {
  const { url } = await receiver((_, response) => response.writeHead(status).end());
  expect(await post(url)).toEqual({ is, reason: `HTTP ${status}` });
});

test('follows no redirect', async () => {
  const other = await receiver((_, response) => response.end());
  const { url } = await receiver((_, response) => response.writeHead(307, { location: other.url }).end());
  expect(await post(url)).toEqual({ is: 'refused', reason: 'HTTP 307' });
  expect(other.got).toEqual([]);
});

test('waits for no receiver that does not answer', async () => {
  const { url } = await receiver(() => {});
  expect(await post(url, 50)).toEqual({ is: 'failed', reason: 'no answer within 0.05 s' });
});

test('reads no body, however large it is, and needs not its end', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const zipped = await receiver((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  expect(await post(zipped.url)).toEqual({ is: 'taken' });
  const cut = await receiver((_, response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('x', () => response.destroy());
  });
  expect(await post(cut.url)).toEqual({ is: 'taken' });
});

test('says why a connection failed, and never the address', async () => {
  const { url } = await receiver((request) => request.socket.destroy());
  const gone = await receiver(() => {});
  await new Promise((resolve) => gone.server.close(resolve));
  for (const each of [url, gone.url]) {
    const delivered = await post(each);
    expect(delivered).toMatchObject({ is: 'failed', reason: expect.stringMatching(/^[A-Z_]+$/) });
    expect(JSON.stringify(delivered)).not.toContain('secret-path');
  }
});

test('ends at once when the daemon stops', async () => {
  const { url, got } = await receiver(() => {});
  const stop = new AbortController();
  const delivering = deliver({ url, body, headers: {}, signal: stop.signal });
  await expect.poll(() => got.length).toBe(1);
  stop.abort();
  expect(await delivering).toMatchObject({ is: 'failed' });
});

test('reaches an address of IPv6', async () => {
  const { url, got } = await receiver((_, response) => response.end(), '::1');
  expect(await post(url)).toEqual({ is: 'taken' });
  expect(got).toHaveLength(1);
});
