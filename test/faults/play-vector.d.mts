interface Ended {
  readonly code: number | null
  readonly stdout: string
}

/** Plays one vector and returns the failures as texts. */
export function playVector(
  folder: string,
  faults: (args: readonly string[], cwd: string) => Promise<Ended>,
): Promise<readonly string[]>
