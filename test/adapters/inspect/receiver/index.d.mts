export type HeardMessage =
  | {
      readonly type: "service.register"
      readonly machine: { readonly id: string; readonly paths: readonly string[] }
      readonly state: readonly string[]
      readonly sessionId: string
      readonly id: string
      readonly parent?: string
    }
  | { readonly type: "service.state"; readonly state: readonly string[]; readonly context: unknown; readonly isDone: boolean; readonly sessionId: string }
  | { readonly type: "service.event"; readonly event: { readonly name: string; readonly data: unknown; readonly origin?: string }; readonly sessionId: string }
  | { readonly type: "service.stop"; readonly sessionId: string }

/** Receives messages like a viewer that uses `@xstate/inspect`. This package and XState 4 parse each message. */
export function hear(url: string, heard: (message: HeardMessage) => void): void
