import type { Play } from "./play-run.js"

/** Plays the run of a violated policy with `--enforce`. Returns the failures as texts. */
export function playEnforced(
  expected: { readonly play: Play; readonly enforced: object },
  name: string,
  vector: { readonly workflow: string; readonly folder: string; readonly found: string },
  command: (
    args: readonly string[],
  ) => Promise<{ readonly code: number | null; readonly stdout: string }>,
): Promise<readonly string[]>
