import { applyWork } from '../../../../daemon/repository/apply/apply.ts';

/** A daemon to be killed: applies the work given as JSON. */
const { dir, wish } = JSON.parse(process.argv[2] as string) as { dir: string; wish: Parameters<typeof applyWork>[1] };
await applyWork(dir, wish);
