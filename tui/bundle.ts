import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** The file with the code that V8 compiled from the dashboard's program when devflow was built, for one Node alone. */
export const CODE = `tui-${process.version}-${process.platform}-${process.arch}.code`;
/** Keeps the space for young objects small. Set it at run time: on Node's command line it costs 20 MB more under load. */
export const SMALL_YOUNG_SPACE = '--semi-space-growth-factor=1';
/** V8 takes compiled code only with the flags that it was made with. */
export const DEFAULT_YOUNG_SPACE = '--semi-space-growth-factor=2';

/**
 * The program as a script. With `code`, none of its functions needs compiling. Node's compile cache has only those that are
 * compiled while a file loads. V8 refuses code of another version or other flags.
 */
export function compileBundle(file: string, code?: Buffer): Script {
  const text = readFileSync(file, 'utf8');
  const source = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  return new Script(source, { filename: file, cachedData: code });
}

/** Runs it as Node runs a CommonJS module. */
export function runBundle<T>(script: Script, file: string): T {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as T;
}
