import { join } from 'node:path';
import { autodevPart, showPointer, WANTED_FOR_DETECTION } from '../../../schemas/contracts/autodev/autodevPart.ts';
import { detectStep } from '../../../schemas/contracts/autodev/detectStep.ts';
import { FLOWS, flowAfter } from '../../../schemas/contracts/autodev/flows.ts';
import { confirmedAfter } from '../../../schemas/contracts/autodev/nextStep.ts';
import { POINTER_FILE, type Pointer } from '../../../schemas/contracts/autodev/pointer.ts';
import { reconcile } from '../../../schemas/contracts/autodev/reconcile.ts';
import { recordEvent } from '../../../schemas/contracts/autodev/record.ts';
import { type RecordEvent, toRecordEvent } from '../../../schemas/contracts/autodev/recordEvent.ts';
import type { Workspace } from '../../../schemas/contracts/autodev/resolveFlow.ts';
import { isFlagTrue } from '../../../schemas/contracts/autodev/scan.ts';
import { textOf } from '../../../schemas/contracts/report/tree.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import {
  type ContractPorts,
  contractNotFound,
  requireRepository,
  requireUnused,
} from '../../contracts/contractPorts.ts';
import { findSource } from '../../contracts/findSource.ts';
import { readPointerFile, withPointerLock, writePointerFile } from '../../contracts/pointerFile.ts';
import { readTree } from '../../contracts/readTree.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

/** The pointer of a repository. Every change holds its lock. */
export function createAutodevMethods(ports: ContractPorts): HandlersOf<'autodev'> {
  const { now } = ports;
  const workspaceOf = (repo: string): Workspace => ({
    tree: readTree(repo, WANTED_FOR_DETECTION, now()),
    source: findSource(repo),
  });
  /** The pointer for an event. After a completed flow it is the next flow's, at the step that the folders show. */
  function pointerFor({ type }: RecordEvent, repo: string): Pointer {
    const pointer = requirePointer(repo, now());
    if (type !== 'started' || flowAfter(pointer) === undefined) return pointer;
    const { parsed } = reconcile(workspaceOf(repo));
    return parsed.reason === 'flow' ? parsed.pointer : pointer;
  }
  return {
    'autodev.show': ({ repo }) => {
      requireRepository(repo);
      return showPointer(readTree(repo, autodevPart.wanted, now()));
    },
    'autodev.detect': ({ repo, flow, cycle }) => {
      requireRepository(repo);
      return detectStep(workspaceOf(repo), { flow, cycle });
    },
    'autodev.reconcile': async ({ repo, apply }) => {
      requireRepository(repo);
      const looked = reconcile(workspaceOf(repo));
      if (looked.parsed.reason === 'unreadable') {
        ports.warn?.('a pointer cannot be read', { repo, findings: looked.warnings });
      }
      if (!apply || looked.parsed.source === 'state-file') return looked;
      await requireUnused(ports, directoryOf(repo));
      return withPointerLock(repo, () => {
        const report = reconcile(workspaceOf(repo));
        if (report.parsed.source === 'state-file') return report;
        writePointerFile(repo, report.parsed.pointer, now());
        return { ...report, parsed: { ...report.parsed, written: true } };
      });
    },
    'autodev.record': async ({ repo, ...given }) => {
      const event = toRecordEvent(given);
      requireRepository(repo);
      await requireUnused(ports, directoryOf(repo));
      // Refuse before a lock is made.
      const pointer = requirePointer(repo, now());
      if (event.type === 'completed' && pointer.status === 'in_progress') requireConfirmed(repo, pointer, now());
      return withPointerLock(repo, () => {
        const recorded = recordEvent(pointerFor(event, repo), event);
        writePointerFile(repo, recorded.pointer, now());
        return recorded;
      });
    },
    'autodev.flows': ({ repo, flow }) => {
      requireRepository(repo);
      return flow === undefined ? FLOWS : FLOWS[flow];
    },
  };
}

/** The pointer that an event changes. */
function requirePointer(repo: string, now: number): Pointer {
  const { pointer, findings, isMissing } = readPointerFile(repo, now);
  if (isMissing) throw contractNotFound('pointer', `There is no ${POINTER_FILE} in ${repo}.`);
  if (pointer) return pointer;
  throw new DevflowError('contract_invalid', `${POINTER_FILE} is not valid.`, { data: { errors: findings } });
}

/** Throws unless a person confirmed the step in its file. */
function requireConfirmed(repo: string, pointer: Pointer, now: number): void {
  const confirms = confirmedAfter(pointer);
  if (!confirms) return;
  const { path, key } = confirms;
  const file = textOf(readTree(repo, [{ path }], now), path);
  if (file.ok && isFlagTrue(file.text, key)) return;
  const message = `Nobody has confirmed ${path}: ${key} is not true there.`;
  throw new DevflowError('autodev_transition', message, {
    recoveryHint: `Read it, set ${key}: true there, and record completed again.`,
  });
}

function directoryOf(repo: string): string {
  return join(repo, '_docs');
}
