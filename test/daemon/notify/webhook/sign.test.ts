import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { headersOf, signature } from '../../../../daemon/notify/webhook/sign.ts';

const SECRET = 'correct horse battery';
const at = new Date('2026-11-28T07:00:00.900Z');
const body = '{"id":"x","text":"Grüße"}';

test('signs the time in seconds, a dot and the bytes of the body', () => {
  // By hand: printf '1795849200.{"id":"x","text":"Grüße"}' | openssl dgst -sha256 -hmac 'correct horse battery'
  expect(signature(SECRET, '1795849200', body)).toBe(
    `sha256=${createHmac('sha256', SECRET)
      .update(Buffer.from(`1795849200.${body}`, 'utf8'))
      .digest('hex')}`,
  );
  expect(signature('key', '0', '')).toBe('sha256=85841b4efc3cd7776c3c8f9b7cca9e281c550e5d19889d78e9e669c6337f000d');
});

test('every request has an id and a time, and a signature only with a secret', () => {
  expect(headersOf({ id: 'x', body }, at, undefined)).toEqual({
    'content-type': 'application/json',
    'x-devflow-id': 'x',
    'x-devflow-timestamp': '1795849200',
  });
  expect(headersOf({ id: 'x', body }, at, SECRET)).toMatchObject({
    'x-devflow-timestamp': '1795849200',
    'x-devflow-signature': signature(SECRET, '1795849200', body),
  });
});

test('another time, body or secret gives another signature', () => {
  const all = [
    signature(SECRET, '1', body),
    signature(SECRET, '2', body),
    signature(SECRET, '1', `${body} `),
    signature(`${SECRET} `, '1', body),
  ];
  expect(new Set(all).size).toBe(all.length);
});
