import type { Failures, Vector } from "../conformance/play.mjs"

export function tryWithProcesses(
  vector: Vector,
  program: string,
  kind: "jsonl" | "sqlite",
  place: string,
): Promise<Failures>
