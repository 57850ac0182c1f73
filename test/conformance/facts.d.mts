import type { Diagnostic, PendingRequest, RunEvent } from "agent-statecharts"

export type Fact = Readonly<Record<string, unknown>>
export function factsOf(events: readonly RunEvent[]): Fact[]
export function openRequest(request: PendingRequest): Fact
export function said(diagnostic: Pick<Diagnostic, "message" | "fix" | "pointer" | "field">): string
