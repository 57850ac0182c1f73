import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs"
import { promisify } from "node:util"
import { AgentStatechartsError } from "../../../errors.js"
import { journalFailed } from "../journal-failed.js"
import type { Chain } from "../checksums.js"
import { addChecksum } from "../checksums.js"
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
  #chain: Chain
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #failure: Error | null = null

  constructor(
    file: string,
    { size, chain }: { readonly size: number; readonly chain: Chain },
    slots: Slots,
    mayWrite: () => Error | null,
  ) {
    this.#file = file
    this.#size = size
    this.#chain = chain
    this.#slots = slots
    this.#mayWrite = mayWrite
  }

  append(json: string, durable: boolean): Promise<void> {
    const { text, chain } = addChecksum(json, this.#chain)
    this.#chain = chain
    return new Promise((stored, failed) => {
      this.#waiting.push({ line: `${text}\n`, durable, stored, failed })
      this.#writing ??= this.#writeAll()
    })
  }

  /** Settles when all that was given is dealt with. */
  async idle(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // What is given in the same moment goes together; and `#writing` is set before this can end.
    await Promise.resolve()
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
    try {
      await writeAndSync(
        this.#file,
        "r+",
        bytes,
        this.#size,
        batch.some(({ durable }) => durable),
      )
      this.#size += bytes.length
      return null
    } catch (error) {
      return journalFailed(`the journal file ${this.#file} cannot be written`, error)
    }
  }
}

const sync = promisify(fdatasync)

/**
 * Only the sync is waited for by another thread: to open a file and to give it bytes costs less than to ask one. What was
 * written of bytes that failed was never acknowledged; if it cannot be taken back, it is a torn tail.
 */
export async function writeAndSync(
  file: string,
  flags: "r+" | "w",
  bytes: Buffer,
  at: number,
  isDurable: boolean,
): Promise<void> {
  const descriptor = openSync(file, flags)
  try {
    if (fstatSync(descriptor).size !== at)
      throw new AgentStatechartsError(
        "run_owned",
        `another process has written to ${file}; this process no longer stores records of its run`,
      )
    await writeAt(descriptor, bytes, at, isDurable)
  } finally {
    closeSync(descriptor)
  }
}

async function writeAt(
  descriptor: number,
  bytes: Buffer,
  at: number,
  isDurable: boolean,
): Promise<void> {
  try {
    let written = 0
    while (written < bytes.length)
      written += writeSync(descriptor, bytes, written, bytes.length - written, at + written)
    if (isDurable) await sync(descriptor)
  } catch (error) {
    ftruncateSync(descriptor, at)
    throw error
  }
}
