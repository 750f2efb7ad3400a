import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { METHODS } from '../../../../schemas/rpc/methods/index.ts';
import { openRpcDocument } from '../../../../schemas/rpc/methods/openrpc.ts';

describe('rpc.discover', () => {
  it('describes every method once, with a schema for each parameter', () => {
    const document = openRpcDocument('1.2.3') as {
      methods: { name: string; params: { name: string; required: boolean; schema: object }[] }[];
    };
    expect(document.methods.map((method) => method.name)).toEqual([...new Set(METHODS.map((method) => method.name))]);
    const start = document.methods.find((method) => method.name === 'run.start');
    expect(start?.params.filter((param) => param.required).map((param) => param.name)).toEqual([
      'repo',
      'requirements',
    ]);
    expect(start?.params.find((param) => param.name === 'repo')?.schema).toMatchObject({ type: 'string' });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('lists only parameters that exist in paramNames', () => {
    for (const method of METHODS) {
      for (const name of method.paramNames) expect(Object.keys(method.params.shape)).toContain(name);
    }
  });

  it('has every method that a file declares', () => {
    const cwd = join(packageRoot(), 'schemas/rpc/methods');
    const texts = globSync('**/*.ts', { cwd }).map((path) => readFileSync(join(cwd, path), 'utf8'));
    const declared = texts.flatMap((text) =>
      [...text.matchAll(/define(?:Contract)?(?:Method|Read)\(\{\s+name: '([^']+)'/g)].map(([, name]) => name),
    );
    expect(declared.sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });
});
