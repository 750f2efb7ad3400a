/**
 * The mode of directories above the database: private, except as root. Then the database server runs as another user, which
 * must enter them. Give it to every `mkdir` there, because the person's umask may allow everything.
 */
export const PASSABLE = process.getuid?.() === 0 ? 0o711 : 0o700;
