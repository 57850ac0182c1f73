import type { HostFunction } from "agent-statecharts/runtime"

interface Described {
  readonly config: object
  readonly services?: Readonly<Record<string, object>>
}
export function withServices(
  vector: Described,
  hostLog: unknown[],
): { readonly config: object; readonly services: Readonly<Record<string, HostFunction>> }
