import { TITLE_WITHIN, titleOf } from '../../schemas/text/titleOf.ts';

/** The part of a list that a person asks for. */
export interface ListFilter {
  /** The values that a repository may have as key or path. */
  repository?: readonly string[];
  /** Words that all stand in the title or the requirements of the run, in any order. */
  search?: string;
}

/** Of the tables `r` and `i`: $4 is a repository, and $5 the patterns of a search. */
export const IS_WANTED = `($4::text[] IS NULL OR r.repository = ANY ($4) OR r.repo_path = ANY ($4))
    AND ($5::text[] IS NULL OR concat_ws(E'\\n', r.title, i.requirements_md) ILIKE ALL ($5))`;
export const WITH_INPUT = 'LEFT JOIN run_inputs i ON i.run_id = r.id';
/** The title of a run, or the text that it comes from. */
export const TITLE = `r.title, left(i.requirements_md, ${TITLE_WITHIN}) AS requirements`;

/** The parameters of `IS_WANTED`. */
export function wantedParams({ repository, search }: ListFilter): [readonly string[] | null, string[] | null] {
  return [repository ?? null, search === undefined ? null : patternsOf(search)];
}

/** A pattern for each word. Nothing that a person types is a wildcard. */
export function patternsOf(search: string): string[] {
  const words = search.split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}

/** The title of a run from its rows, the same as from its log. */
export function shownTitle(title: string | null, requirements: string | null): string {
  return title ?? titleOf(requirements ?? '');
}
