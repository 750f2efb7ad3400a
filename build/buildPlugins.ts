import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');

/** Keeps the dynamic imports of files of one folder as files of their own. */
export function apart(folder: string, out: string): Plugin {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const source = resolve(resolveDir, path);
        const file = relative(folder, source);
        if (file.startsWith('..')) return { errors: [{ text: `only ${folder}/* is apart` }] };
        return { path: `./${out}/${nameApart(file)}.cjs`, external: true };
      });
    },
  };
}

/** The built files of a folder are in one directory: `run/show.ts` is `run.show`. */
export function nameApart(file: string): string {
  return file.replace(/\.ts$/, '').replaceAll('/', '.');
}

/** Modules that take milliseconds to load and that most commands import and few use: loaded at first use. */
function late(name: string, filter: RegExp, external: boolean): Plugin {
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ path, namespace }) => {
        if (namespace !== name) return { path, namespace: name };
        return external ? { path, external } : undefined;
      });
      onLoad({ filter: /.*/, namespace: name }, async ({ path }) => {
        const names = Object.keys(await import(path)).filter((each) => each !== 'default');
        const getters = names.map((each) => `get ${each}() { return require('${path}').${each}; }`);
        return { contents: `module.exports = { ${getters.join(', ')} };`, resolveDir: ROOT };
      });
    },
  };
}

/** commander imports node:child_process for executable subcommands; the paths import node:crypto for overlong ones. */
export const lateBuiltins = late(
  'late-builtins',
  /^(node:)?(child_process|crypto|fs\/promises|readline\/promises|stream\/consumers|v8)$/,
  true,
);

/** The checks of contracts need it only for files that are not of the usual form. */
export const lateYaml = late('late-yaml', /^yaml$/, false);

/** The terminal emulator is a third of the dashboard's code, and only transcripts need it. `path`: from the built file. */
export function emulatorApart(path: string): Plugin {
  return {
    name: 'emulator-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^@xterm\/headless$/ }, () => ({ path, external: true }));
    },
  };
}

/**
 * The SDK brings a validator for what a server asks of a program, which devflow never does. Schemas of tools are zod's, and need
 * none.
 */
export const withoutValidator: Plugin = {
  name: 'without-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajvProvider-[^/]*$/ }, ({ path, importer }) =>
      importer.includes('modelcontextprotocol') ? { path, namespace: 'without-validator' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'without-validator' }, () => ({
      contents: 'class None {} export { None as n, None as r, None as t };',
    }));
  },
};

/**
 * The dashboard uses only the keys, the mouse and the sizes of neo-blessed. Its terminfo and its table of colours stay
 * out.
 */
export const programAlone: Plugin = {
  name: 'program-alone',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/(tput|colors)$/ }, ({ path, importer }) =>
      importer.includes('neo-blessed') ? { path, namespace: 'program-alone' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'program-alone' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** `import { z }` would keep all of zod, also its forty languages. A namespace keeps what is used, which loads 20 ms faster. */
export const zodAsNamespace: Plugin = {
  name: 'zod-as-namespace',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:schemas|daemon)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replace("import { z } from 'zod';", "import * as z from 'zod';") };
    });
  },
};
