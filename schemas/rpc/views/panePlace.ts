import { z } from 'zod';

/** Where an agent's pane is, on its host. */
export const PanePlace = z.object({
  binary: z.string().describe('name or path of the tmux program that talks to that server'),
  socket: z.string(),
  session: z.string(),
  window: z.string(),
  paneId: z.string(),
});
export type PanePlace = z.infer<typeof PanePlace>;
