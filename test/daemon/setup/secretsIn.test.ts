import { describe, expect, it } from 'vitest';
import { secretsIn } from '../../../daemon/setup/secretsIn.ts';

describe('secrets in a file of settings', () => {
  it.each([
    ['DB_PASSWORD=hunter2x', ['hunter2x']],
    ['export API_TOKEN="with blank \\"quoted\\" 1"', ['with blank \\"quoted\\" 1', 'with blank "quoted" 1']],
    ["SECRET='it''s'", []],
    ["SESSION_SECRET='single quoted 1'", ['single quoted 1']],
    ['STRIPE=rk_live_51Habcdefghijk', ['rk_live_51Habcdefghijk']],
    ['  apiKey: abc123def  # a comment', ['abc123def']],
    ['{"clientSecret": "s3cr3t-value", "port": 3000, "auth": "zz-top-99"}', ['s3cr3t-value', 'zz-top-99']],
    ['//registry.npmjs.org/:_authToken=npm_abcDEF0123456789', ['npm_abcDEF0123456789']],
    ['0a1b2c3d4e5f60718293a4b5c6d7e8f9', ['0a1b2c3d4e5f60718293a4b5c6d7e8f9']],
  ])('%s', (text, expected) => expect(secretsIn(text)).toEqual(expected));

  it.each([
    'NODE_ENV=development',
    'API_KEY_ENABLED=true',
    'PASSWORD=password',
    'SESSION_TIMEOUT=86400000',
    'KEY_FILE=/home/me/.ssh/id_ed25519',
    'AUTH_URL=https://auth.example.com/login2',
    'HOST=localhost:3000',
    '# SECRET_OLD: something1',
    'VERSION=1.2.3-beta.4',
    'CONFIG=settings.production.json',
  ])('has none in %s', (text) => expect(secretsIn(text)).toEqual([]));

  it('names the lines of a value that has several', () => {
    const key = '{"private_key": "-----BEGIN X-----\\nMIIEvQIBADANBgkqhkiG9w0BAQ\\nshort\\n-----END X-----"}';
    expect(secretsIn(key)).toContain('MIIEvQIBADANBgkqhkiG9w0BAQ');
  });

  it('takes time in proportion to a text of any kind', () => {
    expect(secretsIn('"'.repeat(200_000))).toEqual([]);
    expect(secretsIn(`A=${'\\'.repeat(200_000)}`)).toHaveLength(0);
    expect(secretsIn('A="'.repeat(60_000)).length).toBeLessThan(501);
  });
});
