import { mkdirSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { DevflowError } from '../../../schemas/errors.ts';
import { writeInside } from '../../../schemas/files/insideRoot.ts';
import { openRegular, readOpened } from '../../../schemas/files/openRegular.ts';
import { ConsentDecision, ConsentPart } from '../../../schemas/repository/consent.ts';

const Consent = z.strictObject({
  /** git's directory that all worktrees of the repository share. */
  repository: z.string(),
  part: ConsentPart,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  decision: ConsentDecision,
  at: z.string(),
  /** The text that the person read. devflow decides by the hash alone. */
  lines: z.array(z.string()),
});
export type Consent = z.infer<typeof Consent>;

const ConsentFile = z.strictObject({ version: z.literal(1), consents: z.array(Consent) });

const FILE = 'consents.json';
const MOST_BYTES = 4 * 1024 * 1024;
/** More repositories than a person works on. The oldest are forgotten, and asked about again. */
const MOST_CONSENTS = 2000;
/** The lines are for people. A repository with endless ones must not fill the file. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 300;
const OTHERS_MAY_WRITE = 0o022;

export interface Consents {
  /** The decision about exactly these bytes. Throws `consents_unusable` if the file cannot be trusted. */
  read(about: Pick<Consent, 'repository' | 'part' | 'hash'>): ConsentDecision | undefined;
  /** Replaces earlier decisions about the same bytes. */
  write(consents: readonly Consent[]): void;
}

/** The decisions of the person, in a file of the state directory. */
export function createConsents(stateDir: string): Consents {
  const file = join(stateDir, FILE);
  return {
    read({ repository, part, hash }) {
      const found = readFile(file).findLast(
        (each) => each.repository === repository && each.part === part && each.hash === hash,
      );
      return found?.decision;
    },
    write(consents) {
      const isReplaced = (old: Consent) =>
        consents.some((each) => each.repository === old.repository && each.part === old.part && each.hash === old.hash);
      const all = [...readFile(file).filter((old) => !isReplaced(old)), ...consents.map(shortened)];
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const written = writeInside(stateDir, FILE, textOf(all.slice(-MOST_CONSENTS)), 0o600);
      if (!written.ok) throw unusable(file, written.fault);
    },
  };
}

function shortened(consent: Consent): Consent {
  const cut = (line: string) =>
    line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).toWellFormed()}…` : line;
  return { ...consent, lines: consent.lines.slice(0, MOST_LINES).map(cut) };
}

/** The oldest go where all would be more than devflow reads. */
function textOf(consents: readonly Consent[]): string {
  const text = `${JSON.stringify({ version: 1, consents }, null, 1)}\n`;
  return Buffer.byteLength(text) <= MOST_BYTES ? text : textOf(consents.slice(Math.ceil(consents.length / 4)));
}

/** No file is no consent. Anything but a file of the person's own is an error, and never a consent. */
function readFile(file: string): Consent[] {
  const opened = openRegular(file);
  const fault = opened.ok ? ownerFault(opened.facts) : undefined;
  const read = readOpened(opened, MOST_BYTES);
  if (fault !== undefined) throw unusable(file, fault);
  if (!read.ok) {
    if (read.missing) return [];
    throw unusable(file, read.fault);
  }
  return parsed(file, read.bytes.toString('utf8'));
}

function ownerFault({ uid, mode }: Stats): string | undefined {
  if (uid !== process.getuid?.()) return 'it belongs to another user';
  return (mode & OTHERS_MAY_WRITE) === 0 ? undefined : 'other users may write to it';
}

function parsed(file: string, text: string): Consent[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(file, 'it is not JSON');
  }
  const result = ConsentFile.safeParse(value);
  if (!result.success) throw unusable(file, 'it does not have the form that devflow writes');
  return result.data.consents;
}

function unusable(file: string, fault: string): DevflowError {
  return new DevflowError(
    'consents_unusable',
    `devflow does not use ${file}: ${fault}. Nothing in it counts as allowed.`,
    {
      data: { file },
    },
  );
}
