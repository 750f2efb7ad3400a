import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { expect, inject, onTestFinished, test } from 'vitest';
import { proveEnd } from '../e2e/support.ts';
import { makeDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';

const SERVER_NAME = 'temporal.test';

/** An authority of this test with certificates for a server and a client, made by openssl. */
function givenCertificates() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-tls-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  for (const name of ['server', 'client']) {
    openssl('req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    writeFileSync(join(directory, 'names'), `subjectAltName=DNS:${SERVER_NAME}\n`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`);
  }
  return (name: string) => join(directory, name);
}

/** In front of the tests' Temporal server, which speaks no TLS: lets in who has a certificate of the authority. */
async function startTlsProxy(file: ReturnType<typeof givenCertificates>) {
  const [host = '', port = ''] = inject('temporal')?.address.split(':') ?? [];
  const counts = { clients: 0, refused: 0 };
  const read = (name: string) => readFileSync(file(name));
  const server = createServer(
    {
      ca: read('ca.pem'),
      cert: read('server.pem'),
      key: read('server.key'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (client) => {
      counts.clients += 1;
      const behind = connect(Number(port), host);
      pipeline(client, behind, () => {});
      pipeline(behind, client, () => {});
    },
  );
  server.on('tlsClientError', () => {
    counts.refused += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, counts };
}

test('runs through a server that wants a certificate, which lets nobody in without one', async () => {
  const file = givenCertificates();
  const { address, counts } = await startTlsProxy(file);
  const daemon = await makeDaemon({
    env: {
      DEVFLOW_TEMPORAL_ADDRESS: address,
      DEVFLOW_TEMPORAL_TLS: 'true',
      DEVFLOW_TEMPORAL_TLS_CA: file('ca.pem'),
      DEVFLOW_TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
    },
  });
  await daemon.start();
  const { temporal } = await daemon.call('daemon.status', {});
  expect(temporal?.away?.reason).toMatch(/^does not answer/);
  expect(counts.refused).toBeGreaterThan(0);
  expect(counts.clients).toBe(0);

  await daemon.stop();
  await daemon.start({
    DEVFLOW_TEMPORAL_TLS_CERT: file('client.pem'),
    DEVFLOW_TEMPORAL_TLS_KEY: file('client.key'),
  });
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  // One for the client, one for the workers.
  expect(counts.clients).toBeGreaterThanOrEqual(2);
});
