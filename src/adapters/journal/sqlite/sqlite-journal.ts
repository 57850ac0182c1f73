import { checkText } from "../../../machines/data/check-arguments.js"
import { runExists, runLost, runOwned } from "../../../runtime/journal/journal-errors.js"
import type { RunFilter, RunSummary } from "../../../runtime/journal/journal.js"
import { openDatabase } from "../../sqlite/open-database.js"
import { storedText } from "../../sqlite/stored-text.js"
import { addChecksum, corrupt } from "../checksums.js"
import { journalFailed } from "../journal-failed.js"
import type { JournalWarning } from "../journal-warning.js"
import type { LeaseOptions } from "../owner.js"
import { ownerWords } from "../owner.js"
import type { FileJournal } from "../file-journal.js"
import type { OwnedRun } from "./database-leases.js"
import { DatabaseLeases } from "./database-leases.js"
import { GroupCommit } from "./group-commit.js"
import { ChartTable } from "./chart-table.js"
import type { RunRow } from "./schema.js"
import { verifyDatabase } from "./verify-database.js"
import { schema, statements, upgrade } from "./schema.js"
import type { RowStatus, RunEnd } from "./read-run.js"
import { endOf, readRow, readRun, rowChecksum, running } from "./read-run.js"
import { keepTimes, rowStatusOf, RunRows } from "./run-rows.js"

export interface SqliteJournal extends FileJournal {
  /**
   * Returns a summary of every run, oldest first, or of the runs that match a filter. For example,
   * `list({ status: "waiting" })` returns the runs with pending requests.
   */
  list(filter?: RunFilter): readonly RunSummary[]
  /**
   * Releases all runs and closes the database connection. If no other process uses the database,
   * its file can then be copied.
   */
  close(): void
}

export interface SqliteJournalOptions extends LeaseOptions {
  /**
   * Maximum time in milliseconds that a write waits for the database lock of another process.
   * Default: 5,000.
   */
  readonly busyTimeoutMs?: number
  /**
   * Called for each run that `list` omits because its row is damaged. Default: `list` omits no run
   * and throws an error if a row is damaged.
   */
  readonly onWarning?: (warning: JournalWarning) => void
}

/**
 * Creates a journal (a store of runs) in a SQLite file. Several processes may use the file. A
 * record counts as stored when its transaction is on disk. All writes of one turn of the event loop
 * share a transaction. If another process takes over a run, this journal no longer stores data for
 * it.
 *
 * @example
 * const journal = sqliteJournal("runs.sqlite")
 * const runner = createRunner({ journal })
 */
export function sqliteJournal(file: string, options: SqliteJournalOptions = {}): SqliteJournal {
  checkText(file, "the file of sqliteJournal", 'Pass a path: sqliteJournal("runs.sqlite").')
  const typed = <Value>(act: () => Value): Value => {
    try {
      return act()
    } catch (error) {
      throw journalFailed(`the journal ${file} cannot be accessed`, error)
    }
  }
  const database = typed(() =>
    openDatabase(file, {
      schema,
      upgrade,
      statements,
      errorCode: "journal_failed",
      busyTimeoutMs: options.busyTimeoutMs ?? 5000,
    }),
  )
  const { prepared, readTransaction: atOneMoment } = database
  const { deleteRun, deleteHeader, deleteRecords, deleteCaller, deleteTime, deleteWake } = prepared
  const deletions = [deleteRun, deleteHeader, deleteRecords, deleteCaller, deleteTime, deleteWake]
  const writes = new GroupCommit(database, (error) =>
    journalFailed(`the journal ${file} cannot be accessed`, error),
  )
  const leases = new DatabaseLeases(database, options)
  const charts = new ChartTable(database)

  const summaryOf = (row: RunRow): RunSummary => {
    const { facts: _facts, ...run } = readRow(row, file)
    const owner =
      row.owner === null
        ? null
        : leases.owner(storedText(row.owner, `the owner of a run in ${file}`))
    return { ...run, owner: owner === null ? null : ownerWords(owner) }
  }

  const listed = (row: RunRow): readonly RunSummary[] => {
    try {
      return [summaryOf(row)]
    } catch (error) {
      const failure = journalFailed(`the journal ${file} cannot be accessed`, error)
      if (options.onWarning === undefined) throw failure
      // The list skips a damaged row, so that the other runs can be listed.
      options.onWarning({ file, message: failure.message })
      return []
    }
  }

  const rowOf = (id: string): RunRow | undefined => prepared.run.get(id) as RunRow | undefined

  /** Returns the position of a run's next record. This process must have the lease of the run. */
  const lookUpEnd = (id: string): RunEnd => {
    const row = rowOf(id)
    if (row === undefined) throw corrupt(`run ${id} is missing in ${file}`)
    return endOf(row, prepared, file)
  }

  const acquire = async (runId: string): Promise<void> => {
    writes.flush()
    const id = text(runId)
    if (leases.holds(id)) throw runOwned(runId, null)
    const row = typed(() => prepared.known.get(id))
    if (row === undefined) return
    const other = await leases
      .take(id)
      .catch((error: unknown) =>
        Promise.reject(journalFailed(`the journal ${file} cannot be accessed`, error)),
      )
    if (other !== null) throw runOwned(runId, ownerWords(other))
  }

  const release = (runId: string): Promise<void> => {
    const id = text(runId)
    let run: OwnedRun | undefined
    const write = (): void => {
      run = leases.leaseOf(id)
      leases.drop(id)
    }
    return writes.add(write, () => {
      if (run !== undefined) leases.keep(id, run)
    })
  }

  /** Inserts the rows of a new run and makes this journal object the owner of the run. */
  const insert = (id: string, rows: RunRows, status: RowStatus): void => {
    const number = leases.holds(id) ? null : rows.insert(database, status, leases.token)
    if (number === null) throw runExists(JSON.parse(id) as string)
    leases.hold(id, { number, end: rows.end, isNoted: false })
  }

  return {
    async create(header) {
      const id = text(header.runId)
      const rows = new RunRows({ header, records: [] }, charts)
      let holds = false
      const write = (): void => {
        insert(id, rows, running)
        holds = true
      }
      await writes.add(write, () => {
        if (holds) leases.markLost(id)
      })
    },

    async store(run, status) {
      const id = text(run.header.runId)
      const rows = new RunRows(run, charts)
      const row = rowStatusOf(status)
      let known: OwnedRun | undefined
      let holds = false
      const write = (): void => {
        known = leases.leaseOf(id)
        if (known === undefined) insert(id, rows, row)
        else if (!rows.replace(database, row, { number: known.number, owner: leases.token }))
          throw runLost(run.header.runId)
        holds = true
        const owned = leases.leaseOf(id) as OwnedRun
        owned.end = rows.end
        owned.isNoted = true
        keepTimes(database, owned.number, status)
      }
      await writes.add(write, () => {
        if (known !== undefined) known.end = null
        else if (holds) leases.markLost(id)
      })
    },

    async append(runId, record) {
      const [id, json] = [text(runId), text(record)]
      let run: OwnedRun | undefined
      const write = (): void => {
        run = leases.leaseOf(id)
        if (run === undefined) throw runLost(runId)
        const { number } = run
        const { records, chain: before, facts } = run.end ?? lookUpEnd(id)
        const line = addChecksum(json, before)
        const { changes } = run.isNoted
          ? prepared.goOn.run(line.chain, rowChecksum(facts, running), number, leases.token)
          : prepared.advance.run(line.chain, number, leases.token)
        if (changes === 0) throw runLost(runId)
        prepared.append.run(number, records, line.text)
        run.isNoted = false
        run.end = { records: records + 1, chain: line.chain, facts }
      }
      await writes.add(write, () => {
        if (run === undefined) return
        run.end = null
        run.isNoted = true
      })
    },

    load: (runId) =>
      typed(() => {
        writes.flush()
        return atOneMoment(() => {
          const row = rowOf(text(runId))
          return row === undefined ? null : readRun(runId, row, prepared, charts, file)
        })
      }),

    acquire,
    release,

    note(runId, noted) {
      const id = text(runId)
      const row = rowStatusOf(noted)
      return writes.add(() => {
        const run = leases.leaseOf(id)
        if (run === undefined) return
        run.end ??= lookUpEnd(id)
        run.isNoted = true
        const crc = rowChecksum(run.end.facts, row)
        const { changes } = prepared.note.run(
          row.status,
          row.requests,
          crc,
          run.number,
          leases.token,
        )
        if (changes > 0) keepTimes(database, run.number, noted)
      })
    },

    list: ({ status, resumableAt: now } = {}) =>
      typed(() => {
        writes.flush()
        const all = now === undefined ? prepared.list.all() : prepared.listOfResumable.all(now)
        const rows = status === undefined ? all : prepared.listOfStatus.all(status)
        return (rows as RunRow[]).flatMap(listed)
      }),

    async delete(runId) {
      const id = text(runId)
      const remove = (isOwner: boolean): void => {
        const row = prepared.numberOf.get(id) as { readonly number: number } | undefined
        if (row === undefined) return
        const owner = isOwner ? null : leases.ownerOf(id)
        if (owner !== null) throw runOwned(runId, ownerWords(owner))
        for (const each of deletions) each.run(row.number)
      }
      // The owner in the database may be a process that has ended. `acquire` checks this.
      if (typed(() => leases.ownerOf(id)) === null) return writes.add(() => remove(false))
      await acquire(runId)
      try {
        await writes.add(() => remove(true))
      } finally {
        await release(runId)
      }
    },

    compact: () =>
      typed(() => {
        writes.flush()
        database.writeTransaction(() => charts.deleteUnused())
        database.vacuum()
      }),

    verify: (runId) =>
      typed(() => {
        writes.flush()
        const checks = atOneMoment(() => verifyDatabase(database, charts, file))
        return runId === undefined
          ? checks
          : checks.filter((check) => check.runId === runId || check.problem !== null)
      }),

    close() {
      typed(() => {
        try {
          writes.flush()
          database.writeTransaction(() => leases.dropAll())
        } finally {
          database.close()
        }
      })
    },
  }
}

const text = (value: unknown): string => JSON.stringify(value)
