import { createHash } from 'node:crypto';
import canonicalizeJson from 'canonicalize';

/**
 * RFC 8785 canonical JSON. Throws on what JSON cannot carry at the top level (undefined, a function).
 * Keys whose value is undefined are left out, as JSON.stringify does.
 */
export function canonicalize(value: unknown): string {
  const text = canonicalizeJson(value);
  if (text === undefined) throw new TypeError('canonicalize: the value has no JSON form');
  return text;
}

/** Lower-case hex SHA-256 of bytes or of a UTF-8 string. */
export function sha256hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** `sha256hex(canonicalize(value))`: the identity of templates, personas, bindings, inputs and prompts (docs/design.md). */
export function hash(value: unknown): string {
  return sha256hex(canonicalize(value));
}
