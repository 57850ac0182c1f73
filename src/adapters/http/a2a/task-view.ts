import { ChangeSignal } from "./change-signal.js"
import { questionOf } from "./task-progress.js"
import { applyEvent, emptySnapshot, isInterrupted, type TaskSnapshot } from "./task-snapshot.js"

/** The current view of a task, which events and responses change. */
export class TaskView {
  readonly changes = new ChangeSignal()
  #snapshot: TaskSnapshot = emptySnapshot()
  /**
   * Whether the snapshot is complete. A stream that was joined late may lack artifacts, and its
   * events may describe a question in another form than the task does.
   */
  #isComplete = false
  /** The question to which an answer is being sent. Events may still contain it. */
  #answered: string | null = null

  get snapshot(): TaskSnapshot {
    return this.#snapshot
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Replaces the snapshot by a task that the server has returned. */
  replace(snapshot: TaskSnapshot): void {
    this.#snapshot = snapshot
    this.setComplete(true)
  }

  setComplete(isComplete: boolean): void {
    this.#isComplete = isComplete
    this.changes.notify()
  }

  /** Applies an event and returns the text that it adds to an artifact. */
  apply(event: unknown): string {
    const applied = applyEvent(this.#snapshot, event)
    if (applied === null) return ""
    const { snapshot, text } = applied
    const isOld = isInterrupted(snapshot) && questionOf(snapshot).id === this.#answered
    this.#snapshot = isOld ? { ...snapshot, state: "working" } : snapshot
    this.setComplete(false)
    return text
  }

  /** Records that an answer to the current question is being sent. */
  beginAnswer(): void {
    this.#answered = questionOf(this.#snapshot).id
    this.#snapshot = { ...this.#snapshot, state: "working" }
    this.setComplete(false)
  }

  endAnswer(): void {
    this.#answered = null
  }
}
