import { expect, test } from 'vitest';
import { policyCheck } from '../../../schemas/rpc/methods/policy.ts';

const words = (count: number) => Array.from({ length: count }, () => 'find');
const faultOf = (argv: string[]) => policyCheck.params.safeParse({ argv }).error?.issues[0]?.message;

test('checks commands of at most 2000 words, because each word may take a look at all others', () => {
  expect(faultOf(words(2000))).toBeUndefined();
  expect(faultOf(words(2001))).toBe('give at most 2000 words');
});

test('counts the words of a script, too', () => {
  expect(faultOf(['sh', '-c', words(1998).join(' ')])).toBeUndefined();
  expect(faultOf(['sh', '-c', words(1999).join('\n')])).toBe('give at most 2000 words, with those of scripts');
});
