/** Something that a person should know or do, as a sentence without markup. */
export interface UnresolvedItem {
  kind:
    | 'failure'
    | 'paused'
    | 'phase_stopped'
    | 'assignment_stopped'
    | 'agent_waits'
    | 'gate_open'
    | 'phase_not_done'
    | 'task_not_done'
    | 'manifest_failed'
    | 'command_failed'
    | 'command_unfinished'
    | 'check_flaky'
    | 'not_set_up'
    | 'artifact_invalid'
    | 'session_failed'
    | 'open_questions'
    | 'follow_ups'
    | 'comment_unanswered'
    | 'finding'
    | 'review'
    | 'branch_unmerged'
    | 'uncommitted_files'
    | 'nested_repository'
    | 'left_out'
    | 'artifact_changed'
    | 'files_not_delivered'
    | 'checkout_changed';
  sentence: string;
  /** The subject of the sentence: a phase key, a session id, a path. */
  subject?: string;
}
