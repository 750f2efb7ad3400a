import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODES } from '../schemas/contracts/report/codes.ts';

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const LIBRARY = 'daemon/contracts/library';
const OPTIONS =
  '--ignoreConfig --noResolve --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions --module nodenext --target es2024';

/** The files that declare what the library hands out, and the names that a script sees of each. */
const DECLARED = {
  'schemas/contracts/report/report': ['Mode', 'Finding', 'Report'],
  'schemas/contracts/report/tree': ['TreeSnapshot', 'Entry'],
  [LIBRARY]: ['check', 'readSnapshot', 'snapshotOf'],
} as const;

/** One file: the package has no sources, and declarations of a CommonJS file must not look like an ES module. */
export function contractTypes(): string {
  const out = mkdtempSync(join(tmpdir(), 'devflow-types-'));
  try {
    const sources = Object.keys(DECLARED).map((file) => `${file}.ts`);
    const args = [TSC, ...OPTIONS.split(' '), '--rootDir', '.', '--outDir', out, ...sources];
    const { status, stdout, error } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(`cannot make the types of devflow/contracts: ${error?.message ?? stdout}`);
    const parts = Object.entries(DECLARED).map(([file, names]) =>
      declarationsOf(readFileSync(join(out, `${file}.d.ts`), 'utf8'), names),
    );
    const codes = Object.keys(CODES).map((code) => `  | '${code}'`);
    return ['/** Every code of a finding. */', 'export type ContractCode =', `${codes.join('\n')};`, ...parts, ''].join(
      '\n',
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The declarations of these names with their comments. The compiler begins each at the margin. */
function declarationsOf(text: string, names: readonly string[]): string {
  const declarations = text.split(/^(?=\/\*\*)|(?<!\*\/\n)^(?=export )/m);
  const found = names.map((name) => {
    const declared = new RegExp(`^export (?:declare function|interface|type) ${name}\\b`, 'm');
    const declaration = declarations.find((each) => declared.test(each));
    if (declaration === undefined) throw new Error(`devflow/contracts declares no ${name}`);
    return declaration.trimEnd();
  });
  return found.join('\n');
}
