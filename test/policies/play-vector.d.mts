export function playVector(
  folder: string,
  command: (
    args: readonly string[],
  ) => Promise<{ readonly code: number | null; readonly stdout: string }>,
  plays?: boolean,
): Promise<readonly string[]>
