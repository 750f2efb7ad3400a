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

  it.each([
    ['run.start', ['repo', 'template', 'requirements', 'base']],
    ['run.apply', ['runId', 'way', 'branch', 'repo', 'dryRun', 'agreed']],
    ['events.subscribe', ['runId', 'afterSeq', 'kinds', 'repo']],
    ['approval.list', ['runId', 'state', 'limit', 'all']],
    ['session.list', ['runId', 'limit', 'state']],
  ])('keeps the order in which callers of %s pass parameters by position', (name, order) => {
    const params = METHODS.find((method) => method.name === name)?.params.shape ?? {};
    expect(Object.keys(params).slice(0, order.length)).toEqual(order);
  });

  it('has every method that a file declares', () => {
    const cwd = join(packageRoot(), 'schemas/rpc/methods');
    const texts = globSync('**/*.ts', { cwd }).map((path) => readFileSync(join(cwd, path), 'utf8'));
    const declared = texts.flatMap((text) =>
      [...text.matchAll(/define(?:Contract)?(?:Method|Read|Act)\(\{\s+name: '([^']+)'/g)].map(([, name]) => name),
    );
    expect(declared.sort()).toEqual(METHODS.map(({ name }) => name).sort());
  });
});
