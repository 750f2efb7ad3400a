import { checkProject } from '../../../schemas/contracts/handover/checkProject.ts';
import { pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import { remediationGoals } from '../../../schemas/contracts/handover/review/findings.ts';
import { textOf } from '../../../schemas/contracts/report/tree.ts';
import { type ContractPorts, requireRepository } from '../../contracts/contractPorts.ts';
import { cleanUp } from '../../contracts/handovers/cleanUp.ts';
import { driftOf } from '../../contracts/handovers/driftOf.ts';
import { below, namedPath, readText } from '../../contracts/handovers/namedPath.ts';
import { readProject, requireOwnProject, requireProject } from '../../contracts/handovers/readProject.ts';
import { nextOf, sessionFacts } from '../../contracts/handovers/sessionFacts.ts';
import { requireFitting, validateHandover } from '../../contracts/handovers/validateHandover.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';

/** The handovers of projects. A reader may name any path; who writes, a project of the repository. */
export function createHandoverMethods(ports: ContractPorts): HandlersOf<'handover'> {
  return {
    'handover.validate': ({ repo, kind, path, ...options }) => {
      requireFitting(kind, options);
      requireRepository(repo);
      return validateHandover(repo, kind, path, options, ports.now());
    },
    'handover.check': async ({ repo, project, strict }) => {
      requireRepository(repo);
      const place = requireProject(repo, project);
      const tree = readProject(place, ports.now());
      const state = textOf(tree, pathIn(place.shown, 'session-state'));
      return checkProject(tree, place.shown, {
        mode: strict ? 'strict' : 'soft',
        subject: project,
        facts: await sessionFacts(repo, below(place, 'session-state'), state),
      });
    },
    'handover.findings': ({ repo, review }) => {
      requireRepository(repo);
      const place = namedPath(repo, review);
      return remediationGoals(readText(place), place.shown || '.', review);
    },
    'handover.drift': ({ repo, project, apply }) => {
      requireRepository(repo);
      return driftOf(ports, requireOwnProject(repo, project), project, apply);
    },
    'handover.next': ({ repo, project }) => {
      requireRepository(repo);
      return nextOf(repo, project);
    },
    'handover.cleanup': ({ repo, project, apply }) => {
      requireRepository(repo);
      return cleanUp(ports, requireOwnProject(repo, project), project, apply);
    },
  };
}
