export function bundleProgram(program: string): Promise<{ readonly start: string; remove(): void }>
