import { expect, test } from 'vitest';
import { defined } from '../../schemas/defined.ts';

const maybe = <T>(value: T): T | undefined => value;

test('leaves out undefined values, and no other', () => {
  const given = { none: maybe<string | undefined>(undefined), empty: '', zero: 0, no: false, nil: null, text: 'a' };
  const kept = defined(given);
  expect(Object.keys(kept)).toEqual(['empty', 'zero', 'no', 'nil', 'text']);
  expect(kept).toEqual({ empty: '', zero: 0, no: false, nil: null, text: 'a' });
});

test('gives a key that may be undefined the type of an optional one', () => {
  const kept: { sure: number; unsure?: string } = defined({ sure: 1, unsure: maybe('b') });
  expect(kept).toEqual({ sure: 1, unsure: 'b' });
  // @ts-expect-error The key may be absent.
  const unsure: string = kept.unsure;
  expect(unsure).toBe('b');
});
