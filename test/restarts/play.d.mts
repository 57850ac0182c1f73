import type { Failures, Vector } from "../conformance/play.mjs"

export function tryWithProcesses(
  vector: Vector,
  kind: "jsonl" | "sqlite",
  place: string,
): Promise<Failures>
