import type { JsonObject } from "../../machines/data/json-object.js"

/** Key of a delivery, which sends the events of one run to one receiver, such as a webhook. */
export interface DeliveryKey {
  readonly runId: string
  /** Name of the receiver of the events, such as a webhook. It is unique in the run. */
  readonly receiver: string
}

/**
 * Progress of a delivery, which sends the events of one run to one receiver. Times are in
 * milliseconds since the epoch.
 */
export interface DeliveryProgress {
  /**
   * Number of events of the run that are done, which is the index of the next event. An event is
   * done if it was delivered, or if the receiver does not select it.
   */
  readonly position: number
  /**
   * Earliest time at which a server may deliver the next event. A server that starts to deliver the
   * event moves this time into the future, so that other servers wait. null if there is no event to
   * deliver.
   */
  readonly dueAt: number | null
  /** Number of failed attempts to deliver the next event. */
  readonly attempts: number
  /**
   * Time of the first failure since the last successful attempt. null if the last attempt was
   * successful.
   */
  readonly failingSince: number | null
  /** Reason of the last failure. null if the last attempt was successful. */
  readonly error: string | null
  /**
   * True if the delivery was given up. No further attempt is made until a person retries the
   * delivery.
   */
  readonly hasFailed: boolean
  /** Time at which the progress of the delivery was last changed. */
  readonly updatedAt: number
  /**
   * Definition of the receiver, if an HTTP request has defined it. Missing for receivers that are
   * defined in a webhook file.
   */
  readonly target?: JsonObject
}

/** A delivery (which sends the events of one run to one receiver) as the store returns it. */
export interface StoredDelivery extends DeliveryKey {
  /** Number of times that the progress was replaced. Used for optimistic locking. */
  readonly version: number
  readonly progress: DeliveryProgress
}

/**
 * Stores the progress of deliveries. A delivery sends the events of one run to one receiver. The
 * store does not contain the events, which are computed from the journal. Several servers can use
 * the same store.
 */
export interface DeliveryStore {
  /**
   * Stores the initial progress of a new delivery. Returns null if a delivery with this key already
   * exists.
   */
  create(key: DeliveryKey, progress: DeliveryProgress): Promise<StoredDelivery | null>
  load(key: DeliveryKey): Promise<StoredDelivery | null>
  /** Returns the stored deliveries of one run, sorted by receiver. */
  ofRun(runId: string): Promise<readonly StoredDelivery[]>
  /**
   * Replaces the progress of a delivery and returns the changed delivery. Returns null if
   * `delivery.version` is not the stored version, because another server has changed or removed the
   * delivery.
   */
  replace(delivery: StoredDelivery, progress: DeliveryProgress): Promise<StoredDelivery | null>
  /**
   * Removes a delivery. Returns false if `delivery.version` is not the stored version, or if the
   * delivery does not exist.
   */
  remove(delivery: StoredDelivery): Promise<boolean>
  /** Returns at most `most` deliveries whose `dueAt` is not later than `now`, earliest first. */
  due(now: number, most: number): Promise<readonly StoredDelivery[]>
  /** Returns all deliveries, sorted by run and receiver. */
  list(): Promise<readonly StoredDelivery[]>
}
