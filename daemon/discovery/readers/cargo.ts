import { parse } from 'smol-toml';
import { linesOf, tableLine } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf, upwards } from '../candidate/paths.ts';
import { type Candidate, type Found, type Reader, recordOf, textsIn } from '../candidate/reader.ts';
import { membersOf } from '../candidate/wildcards.ts';

/** A crate or a workspace of crates. A crate below another one is tested with it. */
export const cargo: Reader = {
  reads: (path) => nameOf(path) === 'Cargo.toml',
  read: (file): Found => {
    const { path, text, paths } = file;
    const cwd = directoryOf(path);
    const above = upwards(cwd).slice(1);
    if (cwd !== '.' && above.some((each) => paths.has(inDirectory(each, 'Cargo.toml')))) return { candidates: [] };
    const manifest = recordOf(parse(text));
    const lines = linesOf(text);
    const workspace = recordOf(manifest.workspace);
    const isWorkspace = manifest.workspace !== undefined;
    const line = tableLine(lines, isWorkspace ? 'workspace' : 'package');
    const all = isWorkspace ? ['--workspace'] : [];
    const locked = paths.has(inDirectory(cwd, 'Cargo.lock'));
    const of = { cwd, path, line, source: 'manifest' as const, locked };
    const candidates: Candidate[] = [
      { ...of, kind: 'package-manager', argv: ['cargo', '--version'] },
      { ...of, kind: 'install', argv: ['cargo', 'fetch', ...(locked ? ['--locked'] : [])] },
      { ...of, kind: 'format', argv: ['cargo', 'fmt', ...(isWorkspace ? ['--all'] : []), '--check'] },
      { ...of, kind: 'build', argv: ['cargo', 'build', ...all] },
      { ...of, kind: 'test', argv: ['cargo', 'test', ...all] },
    ];
    if (Array.isArray(manifest.bench))
      candidates.push({ ...of, line: tableLine(lines, '[bench]'), kind: 'bench', argv: ['cargo', 'bench', ...all] });
    const patterns = textsIn(workspace.members);
    const without = textsIn(workspace.exclude).map((each) => `!${each}`);
    return { candidates, workspaces: membersOf(file, [...patterns, ...without]) };
  },
};
