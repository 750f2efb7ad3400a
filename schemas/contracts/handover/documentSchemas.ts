import type { DocumentSchema } from '../document/jsonSchema.ts';
import { BRIEF_FIELDS } from './document/brief.ts';
import { contractOf, HANDOVER } from './document/contract.ts';
import { RESEARCH_FIELDS } from './document/research.ts';
import { MANIFEST_KEYS } from './manifest/manifestKeys.ts';
import { PLAN_FIELDS } from './plan/plan.ts';
import { PROGRESS_FIELDS } from './progress/progress.ts';
import { REVIEW_FIELDS } from './review/review.ts';
import { SESSION_PROMPT_FIELDS } from './session/sessionPrompt.ts';
import { SESSION_STATE_FIELDS } from './session/sessionState.ts';

const { types, versions, sections } = HANDOVER;
const named = (titles: readonly string[]) => titles.map((title) => `## ${title}`).join(', ');

/** The handovers of one file each. An architecture is a directory, and has no fields. */
export const HANDOVER_SCHEMAS: readonly DocumentSchema[] = [
  {
    id: contractOf('brief'),
    title: 'Brief',
    about: `The frontmatter of brief.md: what is to be done, and why. The body has ${named(sections.brief)}.`,
    constants: { type: types.brief },
    fields: BRIEF_FIELDS,
  },
  {
    id: contractOf('research'),
    title: 'Research',
    about: `The frontmatter of research/NN-slug.md: the answer to one question. The body has ${named(sections.research)}.`,
    constants: { type: types.research },
    fields: RESEARCH_FIELDS,
  },
  {
    id: contractOf('plan'),
    title: 'Plan',
    about: `The frontmatter of plan.md. The body has ${named(sections.plan)} with steps ### Step 1: title, each with one fenced yaml block that begins with manifest: and has the keys of #/$defs/manifest.`,
    fields: PLAN_FIELDS,
    definitions: { manifest: MANIFEST_KEYS },
  },
  {
    id: contractOf('progress'),
    title: 'Progress',
    about: 'progress.json: how far the steps of the plan are, so that another session can resume.',
    constants: { schema_version: versions.progress.current },
    fields: PROGRESS_FIELDS,
  },
  {
    id: contractOf('review'),
    title: 'Review',
    about: `The frontmatter of review.md: the findings about the work. The body has ${named(sections.review)}, and each finding as ### <id> below ## Findings (BLOCKER), (MAJOR), (MINOR) or (SUGGESTION).`,
    constants: { type: types.review },
    fields: REVIEW_FIELDS,
  },
  {
    id: contractOf('session-state'),
    title: 'Session state',
    about: '.session-state.local.json: where the next session begins. It is never committed.',
    constants: { schema_version: versions['session-state'].current },
    fields: SESSION_STATE_FIELDS,
  },
  {
    id: contractOf('session-prompt'),
    title: 'Session prompt',
    about: 'The frontmatter of NEXT-SESSION-PROMPT.local.md: the prompt of the next session.',
    fields: SESSION_PROMPT_FIELDS,
  },
];
