/** A value as TOML on one line, for a flag. Values that are not set are left out. */
export function toToml(value: unknown): string {
  if (typeof value === 'string') return tomlText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(',')}]`;
  const entries = Object.entries(value as Record<string, unknown>).filter(([, each]) => each !== undefined);
  return `{${entries.map(([key, each]) => `${tomlText(key)}=${toToml(each)}`).join(',')}}`;
}

/** JSON writes a text as TOML does, except DEL and halves of characters. */
export function tomlText(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007f', String.raw`\u007f`);
}
