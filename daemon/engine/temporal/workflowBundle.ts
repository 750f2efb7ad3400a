import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256hex } from '../../../schemas/hash.ts';
import type { Sdk } from './loadSdk.ts';
import type { WorkerLogger } from './runtime.ts';

/** Not in one piece: other tools would take it for the map of this file. */
const MAP = ['//#', 'sourceMappingURL=data:application/json;base64,'].join(' ');
/** The map of the sources is two thirds of the file. A worker wants one, but an empty one will do. */
const EMPTY_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })).toString('base64');

/**
 * The file that workers load into Temporal's sandbox: our workflow with the SDK's part of it. It needs the optional packages, so
 * no build of devflow can make it. Made once for each version of both, because it costs a second and 100 MB.
 */
export async function workflowBundle(options: {
  sdk: Pick<Sdk, 'worker' | 'version'>;
  /** The built workflow. */
  source: string;
  packages: string;
  logger: WorkerLogger;
}): Promise<string> {
  const { sdk, source, packages, logger } = options;
  const text = readFileSync(source, 'utf8');
  const id = sha256hex(text).slice(0, 16);
  // Webpack does not find modules through a link.
  const directory = join(realpathSync(packages), 'bundles');
  const file = join(directory, `workflow-${sdk.version}-${id}.js`);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // It finds the packages from there.
  const copy = join(directory, `workflow-${id}.cjs`);
  writeFileSync(copy, text);
  const { code } = await sdk.worker.bundleWorkflowCode({ workflowsPath: copy, logger });
  const draft = `${file}.${process.pid}`;
  const from = code.lastIndexOf(MAP);
  writeFileSync(draft, from < 0 ? code : `${code.slice(0, from)}${MAP}${EMPTY_MAP}`);
  renameSync(draft, file);
  return file;
}
