import type { RunEvent } from "../src/machines/contract/run-event.js"

export interface ManyRuns {
  readonly url: string
  start(
    runId: string,
    size: { readonly rounds: number; readonly length?: number; readonly ms?: number },
  ): Promise<void>
  read(
    runId: string,
    heard: (event: RunEvent, at: number) => void,
    after?: number,
  ): { readonly over: Promise<void>; pause(): void; resume(): void; close(): void }
  buffers(): Promise<{ readonly buffered: number; readonly memory: number }>
  stop(): Promise<void>
}

export declare function manyRuns(place: string): Promise<ManyRuns>
