import { createHash } from 'node:crypto';

/**
 * A UUIDv8 (RFC 9562) made from names: the same names give the same id. Ids inside a run derive from its state. So an
 * effect that runs again after a crash finds its earlier result.
 */
export function derivedId(...names: (string | number)[]): string {
  const bytes = createHash('sha256').update(names.join('\u0000')).digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for a whole lower-case UUID; false for a prefix of one. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
