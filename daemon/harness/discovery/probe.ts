import { join } from 'node:path';
import { lookInside } from '../../../schemas/files/insideRoot.ts';
import { readRegularText } from '../../../schemas/files/openRegular.ts';
import type { Fact, FactKind, Probe } from '../../../schemas/repoFacts.ts';
import { endLeftovers, type startOrAdopt } from '../command/runner.ts';
import type { checkPolicy } from '../policy/policy.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { classifyEnd } from './classifyEnd.ts';
import type { RankedFact } from './rankFacts.ts';
import { restoreCheckout } from './scratchCheckout.ts';

export interface Probing {
  policy: typeof checkPolicy;
  runCommand: typeof startOrAdopt;
  signal: AbortSignal;
  /** Milliseconds for one command. */
  probeMs: number;
  /** Milliseconds for all. */
  totalMs: number;
  /** Installing changes the machine and needs the network, so a person must want it. */
  allowInstall: boolean;
}

const OUTPUT_BYTES = 256 * 1024;
const GRACE_MS = 2000;
const PROBED: readonly FactKind[] = ['format', 'lint', 'typecheck', 'build', 'test', 'bench'];
/** A check works with what is installed. Tools that would fetch packages say instead that they need to. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_yes: 'false',
  npm_config_offline: 'true',
  YARN_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_NETWORK: '0',
  PIP_NO_INDEX: '1',
  UV_OFFLINE: '1',
  CARGO_NET_OFFLINE: 'true',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
};

/** Runs the commands one after another in the checkout, the most trusted first. Rejects with the signal's reason. */
export async function probeFacts(
  facts: readonly RankedFact[],
  privateGit: PrivateGit,
  dir: string,
  probing: Probing,
): Promise<Fact[]> {
  const begin = performance.now();
  const probes = new Map<string, Probe>();
  const isInstall = ({ kind }: RankedFact) => kind === 'install';
  for (const fact of [...facts.filter(isInstall), ...facts.filter((each) => !isInstall(each))]) {
    probing.signal.throwIfAborted();
    const left = probing.totalMs - (performance.now() - begin);
    const why = whyNot(fact, probing) ?? (left < 1 ? notRun('the time for all commands is over') : undefined);
    probes.set(fact.id, why ?? (await probeOne(fact, privateGit, dir, { ...probing, left })));
  }
  probing.signal.throwIfAborted();
  return facts.map((fact) => ({ ...fact, probe: probes.get(fact.id) ?? notRun('') }));
}

export function notRun(reason: string): Probe {
  return { exit: null, ms: 0, class: 'not_run', reason };
}

function whyNot({ kind, argv }: RankedFact, { policy, allowInstall }: Probing): Probe | undefined {
  const { allowed, rule, reason } = policy(argv);
  if (!allowed) return { exit: null, ms: 0, class: 'refused', reason: `${rule}: ${reason}` };
  if (kind === 'install' && !allowInstall) return notRun('an installation changes the machine');
  return kind === 'install' || PROBED.includes(kind) ? undefined : notRun('devflow does not try commands of this kind');
}

async function probeOne(
  fact: RankedFact,
  privateGit: PrivateGit,
  dir: string,
  { runCommand, signal, probeMs, left, allowInstall }: Probing & { left: number },
): Promise<Probe> {
  const { path } = privateGit;
  const place = fact.cwd === '.' ? undefined : lookInside(path, fact.cwd);
  if (place && !(place.ok && place.facts.isDirectory())) return notRun(`there is no directory ${fact.cwd}`);
  const timeoutMs = Math.ceil(Math.min(probeMs, left));
  const begin = performance.now();
  const end = await withOwnAbort(signal, (own) =>
    runCommand({
      commandId: fact.id,
      argv: fact.argv,
      cwd: join(path, fact.cwd),
      dir,
      env: allowInstall ? {} : { ...OFFLINE },
      timeoutMs,
      startedAt: new Date(),
      signal: own,
      graceMs: GRACE_MS,
      outputLimit: OUTPUT_BYTES,
    }),
  ).finally(() => endLeftovers(dir, fact.id, path));
  const ms = Math.round(performance.now() - begin);
  signal.throwIfAborted();
  await restoreCheckout(privateGit);
  if (end.blocked !== undefined) return { exit: null, ms: 0, class: 'refused', reason: end.blocked };
  const output = [end.stdoutPath, end.stderrPath]
    .map((each) => readRegularText(each, 2 * OUTPUT_BYTES) ?? '')
    .join('\n');
  return { exit: end.exitCode, ms, ...classifyEnd({ ...end, timeoutMs, output }) };
}

/** A shutdown would leave the command running for the next daemon, but the checkout goes now. */
async function withOwnAbort<T>(signal: AbortSignal, use: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const abort = () => own.abort();
  signal.addEventListener('abort', abort);
  try {
    return await use(own.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
