import { DevflowError } from '../../schemas/errors.ts';

/** The values of repeatable `--bind role=persona` options as a map. */
export function parsePairs(option: string, values: readonly string[] = []): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const text of values) {
    const at = text.indexOf('=');
    const [role, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    if (at < 1 || role === '' || value === '') throw usage(`${option} ${text} is not of the form role=value`);
    if (Object.hasOwn(pairs, role)) throw usage(`${option} names the role ${role} twice`);
    pairs[role] = value;
  }
  return pairs;
}

export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw usage(`${option} ${text} is not a whole number`);
  return Number(text);
}

export function uuid(option: string, text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw usage(`${option} ${text} is not a UUID`);
}

export function usage(message: string, recoveryHint?: string): DevflowError {
  return new DevflowError('usage', message, { recoveryHint });
}
