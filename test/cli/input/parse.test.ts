import { describe, expect, test } from 'vitest';
import { parseArgv } from '../../../cli/client/parseArgv.ts';
import { parseDuration, parsePairs, wholeNumber } from '../../../cli/input/parse.ts';

describe('parsePairs', () => {
  test('reads role=value, also with further signs in the value', () => {
    expect(parsePairs('--bind', ['planner=p@2', 'a=b=c'])).toEqual({ planner: 'p@2', a: 'b=c' });
    expect(parsePairs('--bind')).toEqual({});
  });
  test.each(['planner', '=x', 'planner=', ' = '])('refuses %j', (text) => {
    expect(() => parsePairs('--bind', [text])).toThrow(/not of the form role=value/);
  });
  test('refuses a role twice', () => {
    expect(() => parsePairs('--bind', ['a=b', 'a=c'])).toThrow(/twice/);
  });
  test('takes any name as a plain key', () => {
    expect(Object.keys(parsePairs('--bind', ['constructor=x']))).toEqual(['constructor']);
  });
});

describe('parseArgv', () => {
  test.each([
    ['npm test', ['npm', 'test']],
    ["  sh  -c 'a b' ", ['sh', '-c', 'a b']],
    ['x "a \\" b" c\\ d', ['x', 'a " b', 'c d']],
    ['x ""', ['x', '']],
    ["x '&&'", ['x', '&&']],
    ['["npm","run a"]', ['npm', 'run a']],
  ])('%s', (text, words) => {
    expect(parseArgv('--verify', text)).toEqual(words);
  });
  test.each(['a && b', 'a | b', 'a > f', 'a 2>&1', 'a ; b'])('refuses %s, which needs a shell', (text) => {
    expect(() => parseArgv('--verify', text)).toThrow(/no shell runs it/);
  });
  test.each(['', '  ', '[]', '[1]', '["a"', "a 'b"])('refuses %j', (text) => {
    expect(() => parseArgv('--verify', text)).toThrow(/--verify/);
  });
});

test('wholeNumber', () => {
  expect(wholeNumber('--after', '12')).toBe(12);
  for (const text of ['', '-1', '1.5', 'x', '1e3']) expect(() => wholeNumber('--after', text)).toThrow(/whole number/);
});

describe('parseDuration', () => {
  test.each([
    ['1s', 1_000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['596h', 2_145_600_000],
  ])('%s', (text, ms) => {
    expect(parseDuration('--timeout', text)).toBe(ms);
  });

  test.each(['', 'soon', '30', 'm', '0m', '-5m', '1.5h', '30 m', '30M', '1d', '1h30m', '597h', '999999999h', '٣m'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDuration('--timeout', text)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );
});
