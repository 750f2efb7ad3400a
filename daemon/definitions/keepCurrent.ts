import { readdirSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Definitions } from '../../schemas/definitions/definitions.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';
import type { DefinitionProblem } from '../../schemas/rpc/views/definition.ts';
import type { EventBus } from '../events/bus.ts';
import type { LookAgain, Definitions as StoredDefinitions } from '../store/definitions.ts';
import type { watchDirectory } from '../system/watchDirectory.ts';
import { type CurrentDefinitions, schemaFingerprint } from './currentDefinitions.ts';
import { userDefinitionPlaces } from './places.ts';
import { logFaults } from './problems.ts';
import { type ReadFiles, readUserFiles } from './readUserFiles.ts';
import { type DefinitionWatch, watchDefinitions } from './watchDefinitions.ts';

export interface DefinitionKeeper {
  /** Begins to watch. Call it when the daemon is ready, because a start must not wait for it. */
  start(): void;
  /** Resolves once the files, as they are now, are in force. Rejects if they could not be read or stored. */
  takeUp(): Promise<void>;
  lookAgain: LookAgain;
  /** The problems that keep devflow from taking up changes. */
  problems(): DefinitionProblem[];
  close(): Promise<void>;
}

const UNKNOWN: ReadonlySet<string> = new Set(['template_not_found', 'persona_not_found']);

/** Changes with each file that is added, renamed or removed. It reads no file. */
function namesIn(directories: readonly string[]): string {
  return JSON.stringify(directories.map((directory) => orElse((): string[] | null => readdirSync(directory), null)));
}

/** Takes up new, changed and removed definition files of the person while the daemon runs. */
export function createDefinitionKeeper(parts: {
  files: CurrentDefinitions;
  store: Pick<StoredDefinitions, 'seed'>;
  paths: Paths;
  bus: Pick<EventBus, 'hint'>;
  openRuns(): { id: string }[];
  log: Pick<Logger, 'info' | 'warn'>;
  watch?: typeof watchDirectory;
}): DefinitionKeeper {
  const { files, store, paths, bus, openRuns, log } = parts;
  const user = userDefinitionPlaces(paths);
  let watch: DefinitionWatch | undefined;
  let read: ReadFiles | undefined;
  let fault: string | undefined;
  let taking: Promise<void> | undefined;
  let names: string | undefined;
  let isStale = false;
  let closed = false;

  /** One at a time. Later changes are taken up afterwards. */
  function takeUp(): Promise<void> {
    isStale = true;
    taking ??= takeAll().finally(() => {
      taking = undefined;
    });
    return taking;
  }

  async function takeAll(): Promise<void> {
    while (isStale && !closed) {
      isStale = false;
      const before = fault;
      try {
        await takeOnce();
        fault = undefined;
      } catch (err) {
        if (closed) return;
        fault = err instanceof Error ? err.message : String(err);
        log.warn({ err }, 'changed definition files were not taken up');
      }
      if (fault !== before) tell();
    }
  }

  async function takeOnce(): Promise<void> {
    const namesNow = namesIn([user.templates, user.personas]);
    const fingerprint = schemaFingerprint(paths.userArtifacts);
    const schemas = files.registryFor(fingerprint);
    const found = await readUserFiles(files.current(), user, schemas, read);
    // Nothing is removed from the database, because a run that just starts may use it. The next start removes it.
    const { inForce } = await store.seed(found.definitions, { keepVanished: true });
    read = found.files;
    names = namesNow;
    const before = files.current();
    const hasNewSchemas = files.replace(inForce, { schemas, fingerprint, openRuns: openRuns().map(({ id }) => id) });
    if (!hasNewSchemas && identityOf(before) === identityOf(inForce)) return;
    logFaults(inForce, log, before);
    const { templates, personas, errors } = inForce;
    const counts = { templates: templates.length, personas: personas.length, faults: errors.length };
    log.info(counts, 'definition files changed');
    tell();
  }

  function tell(): void {
    bus.hint(null, { event: 'definitions.changed', data: {} });
  }

  return {
    start() {
      if (closed) return;
      watch = watchDefinitions(paths, {
        onChange: () => void takeUp(),
        onRefused(directory, err) {
          log.warn({ directory, err }, 'changes of definition files are not noticed there until the daemon restarts');
          tell();
        },
        onAccepted: tell,
        watch: parts.watch,
      });
    },
    async takeUp() {
      await takeUp();
      if (fault === undefined) return;
      throw new DevflowError(
        'template_load_failed',
        `The file is published, but devflow did not take it up: ${fault}.`,
        {
          recoveryHint: 'Publish it again. devflow status says what is wrong.',
        },
      );
    },
    async lookAgain(read) {
      // A name without a version means the newest, also one whose file was written just before.
      if (namesIn([user.templates, user.personas]) !== names) await takeUp();
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof DevflowError) || !UNKNOWN.has(error.code)) throw error;
        await takeUp();
        return read();
      }
    },
    problems() {
      const unread = fault === undefined ? [] : [[paths.configDir, `its files were not read again: ${fault}`] as const];
      const unwatched = [...(watch?.refused() ?? [])].map(
        ([directory, why]) => [directory, `devflow does not notice changes there until it restarts: ${why}`] as const,
      );
      return [...unread, ...unwatched].map(([file, message]) => ({ kind: 'directory', file, message }));
    },
    async close() {
      closed = true;
      watch?.close();
      await taking;
    },
  };
}

/** Equal if nothing changed that a person or a run could notice. */
function identityOf({ templates, personas, errors }: Definitions): string {
  const identities = [templates, personas].map((each) => each.map(({ file, hash, source }) => [file, hash, source]));
  return JSON.stringify([...identities, errors]);
}
