/**
 * The mode of directories above the database: private, but as root the database server runs as another user, who must
 * pass through them. Give it to every `mkdir` there, for the umask of the person may allow all.
 */
export const PASSABLE = process.getuid?.() === 0 ? 0o711 : 0o700;
