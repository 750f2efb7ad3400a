import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf } from '../candidate/paths.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';
import { membersOf } from '../candidate/wildcards.ts';

/** Go needs no scripts: the same commands work for every module. */
export const goMod: Reader = {
  reads: (path) => nameOf(path) === 'go.mod',
  read: ({ path, text, paths }) => {
    const cwd = directoryOf(path);
    const line = lineWhere(linesOf(text), (each) => /^module\s/.test(each));
    const locked = paths.has(inDirectory(cwd, 'go.sum')) || !/^\s*(?:require\b|\t\S+ v)/m.test(text);
    const of = { cwd, path, line, source: 'manifest' as const, locked };
    const candidates: Candidate[] = [
      { ...of, kind: 'package-manager', argv: ['go', 'version'] },
      { ...of, kind: 'install', argv: ['go', 'mod', 'download'] },
      { ...of, kind: 'lint', argv: ['go', 'vet', './...'] },
      { ...of, kind: 'build', argv: ['go', 'build', './...'] },
      { ...of, kind: 'test', argv: ['go', 'test', './...'] },
    ];
    return { candidates };
  },
};

export const goWork: Reader = {
  reads: (path) => nameOf(path) === 'go.work',
  read: (file) => {
    const used = [...file.text.matchAll(/^\s*(?:use\s+)?(\.{1,2}[\w./-]*)\s*(?:\/\/.*)?$/gm)].map((match) => match[1]);
    return { candidates: [], workspaces: membersOf(file, used, 'go.mod') };
  },
};
