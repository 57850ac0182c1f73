import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs"
import { promisify } from "node:util"
import { AgentStatechartsError } from "../../../errors.js"
import { journalFailed } from "../journal-failed.js"
import type { ChainChecksum } from "../checksums.js"
import { addChecksum } from "../checksums.js"
import type { Slots } from "./slots.js"

interface Waiting {
  readonly line: string
  /** Whether the promise of the write resolves only after the data is synced to disk. */
  readonly durable: boolean
  readonly stored: () => void
  readonly failed: (error: Error) => void
}

/**
 * A journal file to which lines are appended in order. If no sync is running, a line is written and
 * synced immediately. Lines that are added during a sync are written together after the sync. After
 * a failure, no more lines are written, so that the file cannot contain a gap.
 */
export class RunFile {
  readonly #file: string
  readonly #mayWrite: () => Error | null
  readonly #slots: Slots
  /** Offset in bytes at which the next line is written. */
  #size: number
  #chain: ChainChecksum
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #failure: Error | null = null

  constructor(
    file: string,
    { size, chain }: { readonly size: number; readonly chain: ChainChecksum },
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

  /** Resolves when all added lines have been written or have failed. */
  async idle(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // Wait for lines that are added in the same task, because they are written together.
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
 * Writes bytes at the end of a file and syncs the file if `isDurable` is true. `at` is the expected
 * size of the file. The write is synchronous, because it is cheaper than a switch to another
 * thread. Only the sync is asynchronous. If a write fails and cannot be undone, the file ends with
 * an incomplete line.
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
