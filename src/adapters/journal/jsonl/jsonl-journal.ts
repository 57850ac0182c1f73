import { existsSync, readFileSync } from "node:fs"
import { mkdir, truncate, unlink } from "node:fs/promises"
import { join } from "node:path"
import { AgentStatechartsError } from "../../../errors.js"
import { runExists, runLost, runOwned } from "../../../runtime/journal/journal-errors.js"
import type { RunSummary, StoredRun, StoredRunStatus } from "../../../runtime/journal/journal.js"
import { timesOf } from "../../../runtime/journal/journal.js"
import { checkText } from "../../../machines/data/check-arguments.js"
import { journalFailed } from "../journal-failed.js"
import type { FileJournal } from "../file-journal.js"
import type { JournalWarning } from "../journal-warning.js"
import type { LeaseOptions } from "../owner.js"
import { ownerWords } from "../owner.js"
import { FolderLeases } from "./folder-leases.js"
import { folderSync } from "./folder-sync.js"
import type { JournalLines } from "./journal-lines.js"
import { readLines, recordText, statusText } from "./journal-lines.js"
import { verifyFile } from "./verify-files.js"
import { readFirstAndLastLine } from "./first-and-last-lines.js"
import { createFile, deleteFile, filesIn, isMissing, rewriteFile } from "./journal-files.js"
import { RunFile } from "./run-file.js"
import { slots } from "./slots.js"
import { runFileName } from "./run-file-name.js"

export interface JsonlJournalOptions extends LeaseOptions {
  /**
   * Called when the journal removes incomplete data that a crash has left at the end of a file.
   * Also called when `list` skips a file that is damaged or is not a journal.
   */
  readonly onWarning?: (warning: JournalWarning) => void
}

/**
 * Maximum number of journal files that are open at the same time. The operating system often allows
 * about 1,000 open files per process.
 */
const filesAtOnce = 64

interface OwnedRun {
  readonly file: RunFile | null
  /**
   * Content of the run's file when the lease of the run was acquired. The first load of the run
   * returns this content instead of reading the file again. null after the run was loaded or
   * written.
   */
  found: JournalLines | null
  /**
   * JSON text of the run's status if the last line of the file contains the status. Otherwise null.
   */
  statusLine: string | null
}

/**
 * Creates a journal (a store of runs) that stores each run as a JSON Lines file in a folder. The
 * folder is created if it does not exist. A record counts as stored when it has been written to
 * disk (`fdatasync`). Several processes may use the same folder.
 *
 * @example
 * const journal = jsonlJournal("runs", { onWarning: ({ message }) => console.warn(message) })
 * const runner = createRunner({ journal })
 */
export function jsonlJournal(folder: string, options: JsonlJournalOptions = {}): FileJournal {
  checkText(folder, "the folder of jsonlJournal", 'Pass a path: jsonlJournal("runs").')
  const { onWarning = () => {} } = options
  const leases = new FolderLeases(folder, options)
  const owned = new Map<string, OwnedRun>()
  const inSlot = slots(filesAtOnce)
  const syncFolder = folderSync(folder)
  const fileOf = (runId: string): string => join(folder, `${runFileName(runId)}.jsonl`)
  const failure = (error: unknown): AgentStatechartsError =>
    journalFailed(`the journal folder ${folder} cannot be used`, error)

  const mayWrite = (runId: string) => (): Error | null =>
    leases.holds(runFileName(runId)) ? null : runLost(runId)

  /**
   * Reads a run from its journal file. Returns null if the run does not exist or its header is
   * incomplete.
   */
  const read = (runId: string): JournalLines | null => {
    const file = fileOf(runId)
    let bytes: Buffer
    try {
      bytes = readFileSync(file)
    } catch (error) {
      if (isMissing(error)) return null
      throw journalFailed(`the journal file ${file} cannot be read`, error)
    }
    return readLines(bytes, file)
  }

  const take = async (runId: string): Promise<void> => {
    if (owned.has(runId)) throw runOwned(runId, null)
    owned.set(runId, { file: null, found: null, statusLine: null })
    try {
      const other = await leases.take(runFileName(runId))
      if (other !== null) throw runOwned(runId, ownerWords(other))
    } catch (error) {
      owned.delete(runId)
      throw failure(error)
    }
  }

  const disown = (runId: string): void => {
    owned.delete(runId)
    leases.drop(runFileName(runId))
  }

  /**
   * Writes the file of an owned run and syncs the folder, so that the file survives a power
   * failure. `statusLine` is the JSON text of the status in the last line, or null if the file has
   * no status.
   */
  const write = async (
    runId: string,
    writeFile: (file: string) => ReturnType<typeof createFile>,
    statusLine: string | null,
  ): Promise<void> => {
    const file = fileOf(runId)
    try {
      const end = await writeFile(file)
      const found = null
      owned.set(runId, { file: new RunFile(file, end, inSlot, mayWrite(runId)), found, statusLine })
      await syncFolder()
    } catch (error) {
      if (statusLine === null) await unlink(file).catch(() => {})
      throw journalFailed(`the journal file ${file} cannot be written`, error)
    }
  }

  const rewrite = (run: StoredRun, status: StoredRunStatus): Promise<void> => {
    const { runId } = run.header
    const statusLine = statusText(status)
    return inSlot(async () => {
      const lost = mayWrite(runId)()
      if (lost !== null) throw lost
      await write(runId, (file) => rewriteFile(file, run, statusLine), statusLine)
    })
  }

  return {
    create(header) {
      const { runId } = header
      if (owned.has(runId) || (existsSync(fileOf(runId)) && read(runId) !== null))
        throw runExists(runId)
      return (async () => {
        await mkdir(folder, { recursive: true }).catch((error: unknown) =>
          Promise.reject(failure(error)),
        )
        await take(runId)
        try {
          if (read(runId) !== null) throw runExists(runId)
          await inSlot(() => write(runId, (file) => createFile(file, header), null))
        } catch (error) {
          disown(runId)
          throw error
        }
      })()
    },

    append(runId, record) {
      const run = owned.get(runId)
      if (run?.file == null) throw runLost(runId)
      run.found = null
      run.statusLine = null
      return run.file.append(recordText(record), true)
    },

    load(runId) {
      const run = owned.get(runId)
      const lines = run?.found ?? read(runId)
      if (run !== undefined) run.found = null
      return lines === null ? null : { header: lines.header, records: lines.records }
    },

    async acquire(runId) {
      if (!existsSync(fileOf(runId))) return
      await take(runId)
      try {
        const file = fileOf(runId)
        const found = read(runId)
        if (found === null) return disown(runId)
        if (found.torn > 0) {
          await truncate(file, found.size).catch((error: unknown) =>
            Promise.reject(journalFailed(`the journal file ${file} cannot be written`, error)),
          )
          onWarning({
            file,
            message: `the last ${found.torn} bytes of ${file} were not a complete record, probably because of a crash; they were removed, and the interrupted work runs again`,
          })
        }
        const statusLine = found.status === null ? null : statusText(found.status)
        owned.set(runId, {
          file: new RunFile(file, found, inSlot, mayWrite(runId)),
          found,
          statusLine,
        })
      } catch (error) {
        disown(runId)
        throw error
      }
    },

    async release(runId) {
      const run = owned.get(runId)
      await run?.file?.idle()
      if (run !== undefined && owned.get(runId) === run) disown(runId)
    },

    note(runId, status) {
      const run = owned.get(runId)
      const text = statusText(status)
      if (run?.file == null || run.statusLine === text) return
      run.statusLine = text
      return run.file.append(text, false)
    },

    async store(run, status) {
      const { runId } = run.header
      const known = owned.get(runId)
      if (known !== undefined) {
        await known.file?.idle()
        return rewrite(run, status)
      }
      await mkdir(folder, { recursive: true }).catch((error: unknown) =>
        Promise.reject(failure(error)),
      )
      await take(runId)
      try {
        if (read(runId) !== null) throw runExists(runId)
        await rewrite(run, status)
      } catch (error) {
        disown(runId)
        throw error
      }
    },

    async list() {
      const runs: RunSummary[] = []
      for (const name of filesIn(folder)) {
        const file = join(folder, name)
        try {
          const ends = readFirstAndLastLine(file)
          if (ends === null) continue
          const { status, ...run } = ends
          const owner = await leases.holder(runFileName(run.runId))
          runs.push({
            ...run,
            status: status?.status ?? "running",
            pending: status?.pending ?? [],
            ...timesOf(status),
            owner: owner === null ? null : ownerWords(owner),
          })
        } catch (error) {
          // The list skips a damaged file, so that the other runs can be listed.
          onWarning({
            file,
            message: journalFailed(`the journal file ${file} cannot be read`, error).message,
          })
        }
      }
      return runs
    },

    async delete(runId) {
      const file = fileOf(runId)
      if (!existsSync(file)) return
      await take(runId)
      try {
        await deleteFile(file)
        await syncFolder()
      } catch (error) {
        // If the file is missing, another process deleted the run before this process acquired it.
        if (!isMissing(error))
          throw journalFailed(`the journal file ${file} cannot be deleted`, error)
      } finally {
        disown(runId)
      }
    },

    // There is nothing to compact, because the file of a run is removed when the run is deleted.
    compact: () => {},

    verify: (runId) =>
      (runId === undefined
        ? filesIn(folder).map((name) => join(folder, name))
        : [fileOf(runId)].filter(existsSync)
      ).map(verifyFile),
  }
}
