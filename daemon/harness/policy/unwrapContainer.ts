import type { Word } from './finding.ts';
import type { Inner } from './inner.ts';
import { isMigrationTool } from './migrationRules.ts';
import { isSqlClient } from './sqlRules.ts';
import { SHELLS, WRAPPERS } from './wrapperTable.ts';

const CONTAINERS = /^(?:docker|docker-compose|podman|podman-compose|nerdctl|kubectl|oc)$/;

/**
 * `docker exec db psql -c …`, `docker compose run app rm -rf x`, `kubectl exec pod -- sh -c …`. Their options are too
 * many to list, so the command inside starts at the first word after the verb that is the name of a guarded program.
 */
export function unwrapContainer(program: string, args: Word[]): Inner | undefined {
  if (!CONTAINERS.test(program)) return undefined;
  const verb = args.findIndex((word) => word.text === 'exec' || word.text === 'run');
  if (verb < 0) return undefined;
  const inside = args.slice(verb + 1);
  const at = inside.findIndex((word, i) => isGuarded(word.text) && !isNameOption(inside[i - 1]?.text));
  return at < 0 ? undefined : { commands: [{ words: inside.slice(at), redirects: [] }], own: 'all' };
}

/** `--name git` and the like name a container, not a program. */
function isNameOption(before: string | undefined): boolean {
  return (
    before !== undefined &&
    /^(?:--name|--hostname|-h|--network|--user|-u|-l|--label|--entrypoint)$/.test(before) &&
    before !== '--entrypoint'
  );
}

function isGuarded(text: string): boolean {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return (
    /^(?:rm|git|find|npx|npm|pnpm|yarn|cat)$/.test(name) ||
    SHELLS.has(name) ||
    Object.hasOwn(WRAPPERS, name) ||
    isSqlClient(name) ||
    isMigrationTool(name)
  );
}
