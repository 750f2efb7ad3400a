/** The id of a finding of a review. */
export const FINDING_ID = /^[0-9a-f]{40}$/;
