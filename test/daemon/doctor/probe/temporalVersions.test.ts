import { expect, test } from 'vitest';
import { judgeVersions } from '../../../../daemon/doctor/probe/temporalVersions.ts';

const TESTED = [
  { name: '@temporalio/client', version: '1.24.0', tested: '1.24.0' },
  { name: 'protobufjs', version: '8.8.1', tested: '8.8.1' },
];
const withVersion = (name: string, version: string) =>
  TESTED.map((each) => (each.name === name ? { ...each, version } : each));

test.each(['1.30.0', '1.32.0', '1.40.2-rc.1'])('takes the server %s with the packages it is tested with', (server) => {
  expect(judgeVersions(server, TESTED, 'npm install …')).toBeUndefined();
});

test.each([
  ['1.29.1', 'fail', 'Temporal 1.29.1 is too old: devflow needs 1.30'],
  ['2.0.0', 'warn', 'Temporal 2.0.0 is newer than any that devflow is tested with'],
  ['', 'warn', 'the Temporal server has an unknown version: '],
])('the server %s: %s', (server, status, detail) => {
  const remediation = 'Use a Temporal server of version 1.30 or a later 1.x.';
  expect(judgeVersions(server, TESTED, 'npm install …')).toEqual({ status, detail, remediation });
});

test.each([
  ['@temporalio/client', '1.25.0', 'warn', '@temporalio/client is 1.25.0, but devflow is tested with 1.24.0'],
  ['@temporalio/client', '1.11.3', 'warn', '@temporalio/client is 1.11.3, but devflow is tested with 1.24.0'],
  ['@temporalio/client', '2.0.0', 'fail', '@temporalio/client 2.0.0 does not fit: devflow needs 1.24.0'],
  ['protobufjs', '7.6.6', 'fail', 'protobufjs 7.6.6 does not fit: devflow needs 8.8.1'],
])('%s %s: %s, with the line to run', (name, version, status, detail) => {
  const found = judgeVersions('1.32.0', withVersion(name, version), 'npm install …');
  expect(found).toEqual({ status, detail, remediation: 'Run npm install …' });
});
