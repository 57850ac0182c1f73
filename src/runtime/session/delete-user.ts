import { AgentStatechartsError } from "../../errors.js"
import { isOfUser } from "./state-owner.js"
import type { Journal, RunSummary } from "../journal/journal.js"
import type { PruneReport } from "../journal/prune-runs.js"
import { deleteRuns } from "../journal/prune-runs.js"
import type { ResponseCache } from "../journal/response-cache.js"
import type { MemoryService } from "../journal/memory-service.js"
import type { SessionStore, SessionUser, UserSessionData } from "../journal/session-store.js"

/** Options of {@link deleteUser}. */
export interface DeleteUserOptions extends SessionUser {
  readonly journal: Journal
  readonly sessions: SessionStore
  /** Long-term memory from which the messages of the user are deleted. Default: none. */
  readonly memory?: MemoryService
  /**
   * Cache for model responses. `deleteUser` deletes all of its responses, because the cache does
   * not store to which user a response belongs. Default: none.
   */
  readonly responseCache?: ResponseCache
  /**
   * If true, runs that have not ended are deleted too. Their agents do not continue. By default,
   * nothing is deleted if the user has such runs.
   */
  readonly includeOpen?: boolean
  /**
   * If true, nothing is deleted. The report then contains the data that would be deleted. Default:
   * false.
   */
  readonly dryRun?: boolean
  /**
   * Called regularly. `done` is the number of runs that were already searched or deleted, and
   * `runs` is the total number of runs to search or delete.
   */
  readonly onProgress?: (progress: {
    readonly step: "searching" | "deleting"
    readonly done: number
    readonly runs: number
  }) => void
}

/**
 * Result of {@link deleteUser}: the deleted data. With `dryRun`, the data that would be deleted.
 */
export interface DeletedUser extends UserSessionData, PruneReport {
  /**
   * Number of messages that were deleted from the long-term memory. With `dryRun`, the number that
   * would be deleted.
   */
  readonly memories: number
  /** Ids of the user's runs that had not ended when `deleteUser` was called. */
  readonly openRunIds: readonly string[]
  /**
   * Ids of runs that the journal cannot read, so they may belong to the user. They were not
   * deleted.
   */
  readonly unreadable: readonly string[]
}

/** Number of runs that are loaded in parallel. */
const groupSize = 50

/**
 * Deletes all data of a user: sessions with their histories and artifacts, state keys that start
 * with `user:`, the long-term memory, and the runs of the sessions with their forks and child runs.
 * A run belongs to the user of its session. After that, call `compact` of the journal, the session
 * store and the memory service to remove the deleted data from their files.
 *
 * @example
 * const { runIds, sessions } = await deleteUser({ journal, sessions: store, userId: "ann" })
 * journal.compact()
 *
 * @throws AgentStatechartsError `user_active` if runs of the user have not ended, and `includeOpen`
 * is not set. `argument_invalid` if the journal, the session store or the memory service cannot delete
 */
export async function deleteUser({
  journal,
  sessions,
  memory,
  responseCache,
  userId,
  appName,
  includeOpen = false,
  dryRun = false,
  onProgress = () => {},
}: DeleteUserOptions): Promise<DeletedUser> {
  if (journal.list === undefined || journal.delete === undefined)
    throw refused("deleteUser needs a journal with the functions list and delete.")
  if (sessions.deleteUser === undefined)
    throw refused("deleteUser needs a session store with the function deleteUser.")
  if (memory !== undefined && memory.deleteUser === undefined)
    throw refused("deleteUser needs a memory service with the function deleteUser.")
  const deleteMemory = async (isDryRun: boolean): Promise<number> =>
    (await memory?.deleteUser?.(user, isDryRun)) ?? 0
  const user: SessionUser = { userId, ...(appName !== undefined && { appName }) }
  const all = await journal.list()
  const { found, unreadable } = await runsOf(user, journal, all, (done, runs) =>
    onProgress({ step: "searching", done, runs }),
  )
  const openRunIds = found
    .filter(({ status }) => status === "running" || status === "waiting")
    .map(({ runId }) => runId)
  const selected = found.map(({ runId }) => runId)
  if (dryRun)
    return {
      ...(await sessions.deleteUser(user, true)),
      memories: await deleteMemory(true),
      runIds: selected,
      inUse: found.filter(({ owner }) => owner !== null).map(({ runId }) => runId),
      openRunIds,
      unreadable,
    }
  if (openRunIds.length > 0 && !includeOpen) throw userActive(userId, openRunIds)
  const report = await deleteRuns(journal.delete.bind(journal), selected, (progress) =>
    onProgress({ step: "deleting", ...progress }),
  )
  await responseCache?.clear()
  return {
    ...(await sessions.deleteUser(user, false)),
    memories: await deleteMemory(false),
    ...report,
    openRunIds,
    unreadable,
  }
}

/**
 * Returns the runs whose session belongs to the user, and the child runs of these runs. Loads every
 * run of the journal that is not a child run, because only its header contains the session. Also
 * returns the ids of runs that the journal cannot read.
 */
async function runsOf(
  user: SessionUser,
  journal: Journal,
  all: readonly RunSummary[],
  onSearched: (done: number, runs: number) => void,
): Promise<{ readonly found: readonly RunSummary[]; readonly unreadable: readonly string[] }> {
  const own = new Set<string>()
  const unreadable: string[] = []
  const search = async ({ runId }: RunSummary): Promise<void> => {
    try {
      const session = (await journal.load(runId))?.header.input.session
      if (session !== undefined && isOfUser(session, user)) own.add(runId)
    } catch (error) {
      if (!(error instanceof AgentStatechartsError) || error.code !== "journal_corrupt") throw error
      unreadable.push(runId)
    }
  }
  const called = new Map<string, RunSummary[]>()
  const roots: RunSummary[] = []
  for (const run of all) {
    if (run.calledBy === undefined) {
      roots.push(run)
      continue
    }
    const siblings = called.get(run.calledBy.runId) ?? []
    siblings.push(run)
    called.set(run.calledBy.runId, siblings)
  }
  for (let done = 0; done < roots.length; done += groupSize) {
    onSearched(done, roots.length)
    await Promise.all(roots.slice(done, done + groupSize).map(search))
  }
  onSearched(roots.length, roots.length)
  // Iterating a `Set` also visits entries that are added during the iteration.
  for (const runId of own) for (const child of called.get(runId) ?? []) own.add(child.runId)
  return { found: all.filter(({ runId }) => own.has(runId)), unreadable }
}

const refused = (message: string): AgentStatechartsError =>
  new AgentStatechartsError("argument_invalid", message)

function userActive(userId: string, runIds: readonly string[]): AgentStatechartsError {
  const shown = runIds.slice(0, 5).join(", ")
  const more = runIds.length > 5 ? `, and ${runIds.length - 5} more` : ""
  return new AgentStatechartsError(
    "user_active",
    `user "${userId}" has runs that have not ended: ${shown}${more}; nothing was deleted. Cancel these runs first, or delete them too`,
  )
}
