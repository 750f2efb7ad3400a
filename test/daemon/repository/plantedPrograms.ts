/**
 * Settings by which git 2.39 can run a program, from git-config(1), gitattributes(5), githooks(5) and git(1). Later
 * versions have more; devflow copies settings by name, so an unknown one is left out.
 */
export const PROGRAM_SETTINGS: readonly string[] = [
  ...['core.fsmonitor', 'core.sshCommand', 'core.gitProxy', 'core.pager', 'core.editor', 'core.askPass'],
  ...['core.alternateRefsCommand', 'sequence.editor', 'credential.helper', 'credential.https://example.org.helper'],
  ...['gpg.program', 'gpg.openpgp.program', 'gpg.x509.program', 'gpg.ssh.program', 'gpg.ssh.defaultKeyCommand'],
  ...['diff.external', 'diff.planted.command', 'diff.planted.textconv', 'merge.planted.driver'],
  ...['filter.planted.clean', 'filter.planted.smudge', 'filter.planted.process', 'interactive.diffFilter'],
  ...['pager.status', 'pager.log', 'pager.diff', 'pager.config', 'pager.branch', 'alias.status', 'alias.diff'],
  ...['difftool.planted.cmd', 'difftool.planted.path', 'mergetool.planted.cmd', 'mergetool.planted.path'],
  ...['guitool.planted.cmd', 'man.planted.cmd', 'man.planted.path', 'browser.planted.cmd', 'browser.planted.path'],
  ...['uploadpack.packObjectsHook', 'remote.origin.uploadpack', 'remote.origin.receivepack', 'remote.origin.vcs'],
  ...['trailer.planted.command', 'trailer.planted.cmd', 'submodule.sub.update', 'tar.planted.command'],
  ...['sendemail.smtpServer', 'sendemail.toCmd', 'sendemail.ccCmd', 'sendemail.sendmailCmd', 'imap.tunnel'],
  ...['instaweb.httpd', 'web.browser', 'hook.planted.command'],
];

/** Settings that make git use such a program, or look in further places for one. */
export const ARMING_SETTINGS: Readonly<Record<string, string>> = {
  'filter.planted.required': 'true',
  'commit.gpgSign': 'true',
  'tag.gpgSign': 'true',
  'log.showSignature': 'true',
  'submodule.recurse': 'true',
  'submodule.propagateBranches': 'true',
  'status.submoduleSummary': 'true',
  'diff.submodule': 'diff',
  'diff.ignoreSubmodules': 'none',
  'protocol.allow': 'always',
  'protocol.ext.allow': 'always',
  'gc.auto': '1',
  'gc.autoDetach': 'false',
  'help.autoCorrect': 'immediate',
  'merge.verifySignatures': 'true',
  'remote.origin.promisor': 'true',
  'remote.origin.url': 'ext::sh -c "touch $MARKER"',
  'core.untrackedCache': 'true',
};

export const HOOKS: readonly string[] = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
  ...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc'],
  ...['post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];

/** Variables by which git, or what it starts, runs a program. */
export const PROGRAM_VARIABLES: readonly string[] = [
  ...['GIT_EXTERNAL_DIFF', 'GIT_SSH', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'SSH_ASKPASS', 'GIT_PROXY_COMMAND'],
  ...['GIT_PAGER', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'GIT_MAN_VIEWER', 'PAGER', 'EDITOR', 'VISUAL'],
];
