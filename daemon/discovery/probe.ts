import { dirname, join } from 'node:path';
import { lookInside } from '../../schemas/files/insideRoot.ts';
import { readRegularText } from '../../schemas/files/openRegular.ts';
import type { Fact, FactKind, Probe } from '../../schemas/repoFacts.ts';
import { endLeftovers, type startOrAdopt } from '../commands/runner.ts';
import type { checkPolicy } from '../policy/policy.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import type { Judged } from './bodies/judge.ts';
import { breakFiles, WAYS } from './breakFiles.ts';
import { classifyEnd } from './classifyEnd.ts';
import { type Confinement, confinedEnvironment, offlineCommand } from './confine.ts';
import { filesToBreak } from './filesToBreak.ts';
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
  confinement: Confinement;
  /** The texts that run with each command, by the id of its fact. */
  judged: ReadonlyMap<string, Judged>;
  /** Variables of the checkout. Those that confine a command are stronger. */
  env: Record<string, string>;
  /** The files of the commit. */
  paths: ReadonlySet<string>;
  /** A green command that took less runs again on broken files, to show that it can fail. */
  cheapMs: number;
}

/** The home of probed commands, below the directory of the discovery. */
export const HOME = 'home';
const OUTPUT_BYTES = 256 * 1024;
const GRACE_MS = 2000;
const BLIND = 'it stays green with every file of the code broken, and with all of them removed';
/** The kinds that can be about the files of the code. */
const CHECKS: readonly FactKind[] = ['format', 'lint', 'typecheck', 'build', 'test'];
const PROBED: readonly FactKind[] = ['format', 'lint', 'typecheck', 'build', 'test', 'bench'];
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
    const probe = why ?? (await probeOne(fact, privateGit, dir, { ...probing, left }));
    const rest = { ...probing, left: probing.totalMs - (performance.now() - begin) };
    const isGreen = probe.class === 'green' && (await staysGreen(fact, probe.ms, privateGit, dir, rest));
    probes.set(fact.id, isGreen ? { ...probe, class: 'cannot_fail', reason: BLIND } : probe);
  }
  probing.signal.throwIfAborted();
  return facts.map((fact) => ({ ...fact, probe: probes.get(fact.id) ?? notRun('') }));
}

export function notRun(reason: string): Probe {
  return { exit: null, ms: 0, class: 'not_run', reason };
}

/** The reason why a command is not probed; undefined for one that is. */
export function whyNot(fact: RankedFact, probing: Probing): Probe | undefined {
  const { kind } = fact;
  const useless = unusable(fact, probing);
  if (useless) return useless;
  if (kind === 'install' && !probing.allowInstall) return notRun('an installation changes the machine');
  return kind === 'install' || PROBED.includes(kind) ? undefined : notRun('devflow does not try commands of this kind');
}

/** The reason why the command shows nothing, whatever its result would be. */
export function unusable(fact: RankedFact, probing: Probing): Probe | undefined {
  const why = probing.judged.get(fact.id)?.cannotFail;
  const blind: Probe | undefined =
    why === undefined || !CHECKS.includes(fact.kind)
      ? undefined
      : { exit: null, ms: 0, class: 'cannot_fail', reason: why };
  return refusal(fact, probing) ?? blind;
}

/** The policy's refusal of the command, or of the texts that run with it. */
function refusal({ id, argv }: RankedFact, { policy, judged }: Probing): Probe | undefined {
  const { allowed, rule, reason } = policy(argv);
  const refused = allowed ? judged.get(id)?.refused : `${rule}: ${reason}`;
  return refused === undefined ? undefined : { exit: null, ms: 0, class: 'refused', reason: refused };
}

/** True if a cheap check stays green when all that it could be about is broken. */
async function staysGreen(
  fact: RankedFact,
  ms: number,
  privateGit: PrivateGit,
  dir: string,
  probing: Probing & { left: number },
): Promise<boolean> {
  const { cheapMs, left, judged, paths, allowInstall, confinement } = probing;
  if (ms >= cheapMs || left < (WAYS.length + 1) * ms || !CHECKS.includes(fact.kind)) return false;
  // With broken files a command does what nobody has read, such as `rm -rf "$(cat dir)"/*` without the file.
  if (allowInstall || !confinement.protectsHome) return false;
  const files = filesToBreak(fact, judged.get(fact.id), paths);
  if (!files) return false;
  try {
    for (const way of WAYS) {
      probing.signal.throwIfAborted();
      await breakFiles(privateGit.path, files, way);
      const probe = await probeOne({ ...fact, id: `${fact.id}-${way}` }, privateGit, dir, probing);
      if (probe.class !== 'green') return false;
    }
    return true;
  } finally {
    // Without the directory of the command nothing ran, and nothing was restored.
    await restoreCheckout(privateGit);
  }
}

async function probeOne(
  fact: RankedFact,
  privateGit: PrivateGit,
  dir: string,
  { runCommand, signal, probeMs, left, allowInstall, confinement, env }: Probing & { left: number },
): Promise<Probe> {
  const { path } = privateGit;
  const place = fact.cwd === '.' ? undefined : lookInside(path, fact.cwd);
  if (place && !(place.ok && place.facts.isDirectory())) return notRun(`there is no directory ${fact.cwd}`);
  const scratch = dirname(path);
  const home = join(scratch, HOME);
  const confined = {
    argv: offlineCommand(fact.argv, home),
    within: confinement.before(scratch),
    env: { ...env, ...confinedEnvironment(home, confinement) },
  };
  const timeoutMs = Math.ceil(Math.min(probeMs, left));
  const begin = performance.now();
  const end = await withOwnAbort(signal, (own) =>
    runCommand({
      commandId: fact.id,
      // An installation changes the machine and needs the network.
      ...(allowInstall ? { argv: fact.argv, env } : confined),
      cwd: join(path, fact.cwd),
      dir,
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
