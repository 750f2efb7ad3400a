/** `1 file`, `2 files`. Give the plural if it is irregular or a verb follows: `1 file is`, `2 files are`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
