import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { journalFailed } from "../journal-failed.js"
import type { Slots } from "./slots.js"

interface Waiting {
  readonly line: string
  /** Whether it counts only when the disk has it. */
  readonly durable: boolean
  readonly stored: () => void
  readonly failed: (error: Error) => void
}

/**
 * Writes lines at the end of one file, in order. A line that waits alone is written and synced at once; lines that come while
 * that is going on are written and synced together. After a failure nothing is written any more, so that no line
 * can be stored behind a gap.
 */
export class RunFile {
  readonly #file: string
  readonly #mayWrite: () => Error | null
  readonly #slots: Slots
  /** Where the next line goes. */
  #size: number
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #failure: Error | null = null

  constructor(file: string, size: number, slots: Slots, mayWrite: () => Error | null) {
    this.#file = file
    this.#size = size
    this.#slots = slots
    this.#mayWrite = mayWrite
  }

  append(line: string, durable: boolean): Promise<void> {
    return new Promise((stored, failed) => {
      this.#waiting.push({ line, durable, stored, failed })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Settles when all that was given is dealt with. */
  async idle(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      this.#failure ??= this.#mayWrite() ?? (await this.#slots(() => this.#write(batch)))
      for (const { stored, failed } of batch) {
        if (this.#failure === null) stored()
        else failed(this.#failure)
      }
    }
    this.#writing = null
  }

  async #write(batch: readonly Waiting[]): Promise<Error | null> {
    const bytes = Buffer.from(batch.map(({ line }) => line).join(""))
    let handle: FileHandle | null = null
    try {
      handle = await open(this.#file, "r+")
      await writeFully(handle, bytes, this.#size)
      if (batch.some(({ durable }) => durable)) await handle.datasync()
      this.#size += bytes.length
      return null
    } catch (error) {
      const failure = journalFailed(`the journal file ${this.#file} cannot be written`, error)
      // What was written of the batch was never acknowledged. If it stays, it is a torn tail or is done again.
      await handle?.truncate(this.#size).catch(() => {})
      return failure
    } finally {
      await handle?.close()
    }
  }
}

export async function writeFully(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let written = 0
  while (written < bytes.length) written += (await handle.write(bytes, written, bytes.length - written, at + written)).bytesWritten
}
