import { expect, test } from 'vitest';
import { isWebhookUrl, webhookHost, webhookSecrets } from '../../../schemas/config/webhookUrl.ts';

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', true],
  ['http://127.0.0.1:8099', true],
  ['http://[::1]:8099/x?y=1', true],
  ['https://user:password@example.org/', false],
  ['https://token@example.org/', false],
  ['file:///etc/passwd', false],
  ['ftp://example.org/', false],
  ['javascript:alert(1)', false],
  ['hooks.slack.com/services', false],
  ['https://', false],
  ['', false],
])('%s is an address for news: %s', (url, is) => {
  expect(isWebhookUrl(url)).toBe(is);
});

test('anybody may see the host alone', () => {
  expect(webhookHost('https://hooks.slack.com:8443/services/T0?token=x')).toBe('hooks.slack.com');
});

test('the address, its path and the secret are masked, and no short word is', () => {
  const url = 'https://hooks.slack.com/services/T000/B000/XXXX';
  expect(webhookSecrets({ url, secret: 'a-long-random-text' })).toEqual([
    url,
    '/services/T000/B000/XXXX',
    'a-long-random-text',
  ]);
  expect(webhookSecrets({ url: 'https://example.org/' })).toEqual(['https://example.org/']);
  expect(webhookSecrets({})).toEqual([]);
});
