/** Terminal colors by meaning. Without color support, each function returns its text unchanged. */
export type Paint = Readonly<Record<keyof typeof codes, (text: string) => string>>

const codes = { bold: 1, dim: 2, good: 32, bad: 31, warn: 33, busy: 36 } as const

export function createPaint(colours: boolean): Paint {
  const wrap = (code: number) => (text: string) =>
    colours && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    bold: wrap(codes.bold),
    dim: wrap(codes.dim),
    good: wrap(codes.good),
    bad: wrap(codes.bad),
    warn: wrap(codes.warn),
    busy: wrap(codes.busy),
  }
}
