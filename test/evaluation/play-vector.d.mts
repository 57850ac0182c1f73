export function playVector(
  folder: string,
  run: (args: readonly string[]) => Promise<{
    readonly code: number | null
    readonly stdout: string
    readonly stderr: string
  }>,
): Promise<readonly string[]>
