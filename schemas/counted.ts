/** `1 file`, `2 files`; a word that is irregular, or whose verb follows, brings its plural: `1 file is`, `2 files are`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
