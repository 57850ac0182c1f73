import type { Vector } from "./play.mjs"

/** What a vector's play came to, in the vectors' words. */
export type Played = Readonly<Record<string, unknown>>
export function judge(vector: Pick<Vector, "expect">, record: Played): string[]
