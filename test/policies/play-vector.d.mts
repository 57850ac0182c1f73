export function playVector(
  folder: string,
  check: (
    args: readonly string[],
    cwd: string,
  ) => Promise<{ readonly code: number | null; readonly stdout: string }>,
): Promise<readonly string[]>
