import { DRAFT, REHEARSAL, REPO_FACTS } from '../../../../schemas/kinds/step/definition.ts';
import type { RepoFacts } from '../../../../schemas/repoFacts.ts';
import type { Draft } from '../../../definitions/factory/draft.ts';
import { publishTemplate } from '../../../definitions/factory/publishing.ts';
import { bindingOf, type RehearsalRecord } from './rehearsalRecord.ts';
import { type DoStep, stepInput } from './step.ts';

/** Publishes exactly what was rehearsed and approved. Once the run is completed, the template can start. */
export const promoteStep: DoStep = async (effect, { publishing }) => {
  const draft = await stepInput<Draft>(effect, DRAFT);
  const facts = await stepInput<RepoFacts>(effect, ...REPO_FACTS);
  const { data: rehearsal } = await stepInput<RehearsalRecord>(effect, REHEARSAL);
  const { template, binding } = rehearsal;
  const isBound = draft.hash === rehearsal.draft && facts.hash === rehearsal.facts && binding === bindingOf(rehearsal);
  if (!isBound) return { ok: false, reason: 'the draft, the facts or the rehearsal differ from what was rehearsed' };
  const { yaml, artifacts, cites } = draft.data;
  const { name, version, hash } = template;
  const provenance = {
    template,
    binding,
    draft: draft.hash,
    facts: facts.hash,
    run: effect.runId,
    repository: effect.lane.repoPath,
    base: facts.data.base.commit,
    cites,
  };
  const promoted = await publishTemplate({ name, version, yaml, artifacts, provenance }, hash, publishing);
  if (!promoted.ok) return promoted;
  return { ok: true, data: { name, version, hash, file: promoted.file, artifacts: promoted.artifacts, binding } };
};
