export type ProgramHeader = Readonly<Record<string, unknown>>

export function readProgram(file: string): ProgramHeader
export function playProgram(
  header: ProgramHeader,
  load: () => Promise<unknown>,
  adk: object,
): Promise<readonly string[]>
