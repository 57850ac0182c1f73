import type { MachineEvent } from "../../machines/contract/machine-kind.js"
import type { Driver } from "../driver/driver.js"
import type { JournalRecord } from "../journal/journal.js"
import { isOutside, resultIn } from "../journal/journal.js"
import type { OpenRequests } from "./open-requests.js"
import type { StateEdit } from "../driver/state-edit.js"
import { toRun } from "./replies.js"

/** Passes a record to its machine or call. Ignores a record whose request or call is closed. */
export function feed(record: JournalRecord, driver: Driver, requests: OpenRequests): void {
  if (!isOutside(record)) return driver.complete(record[0], resultIn(record))
  const event = record[2] as MachineEvent & { readonly at: number }
  // The fields were checked before the event was recorded.
  if (event.type === "run.stopped") return driver.stop(event)
  if (event.type === "state.edited") return driver.edit(event as MachineEvent & StateEdit)
  const receiver = event["id"] === toRun ? driver.root : requests.instanceOf(event["id"] as string)
  if (receiver != null) driver.send(receiver, event)
}
