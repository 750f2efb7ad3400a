import { type ParsedYaml, parseYaml } from '../../../schemas/definitions/yamlFile.ts';
import type { ReadFile } from './reader.ts';

/** No file of a person nests deeper. The parser takes a second for a file that is all brackets. */
const MOST_DEPTH = 100;

/** Parses a YAML file of a repository. Throws for anything that is no plain YAML. */
export function shallowYaml({ path, text }: ReadFile): ParsedYaml {
  let depth = 0;
  for (const [mark] of text.matchAll(/[[\]{}]|^(?:[ \t]*[-?:] ){50}/gm)) {
    depth += mark.length > 1 ? MOST_DEPTH + 1 : mark === '[' || mark === '{' ? 1 : depth > 0 ? -1 : 0;
    if (depth > MOST_DEPTH) throw new Error('it nests too deeply');
  }
  const parsed = parseYaml(path, text, { allowsTags: true });
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.yaml;
}
