import { ChangeSignal } from "./change-signal.js"
import { questionOf } from "./task-progress.js"
import { applyEvent, emptySnapshot, isInterrupted, type TaskSnapshot } from "./task-snapshot.js"

/**
 * Stores the latest known snapshot of an A2A task. Stream events and responses update the snapshot.
 */
export class TaskView {
  readonly changes = new ChangeSignal()
  #snapshot: TaskSnapshot = emptySnapshot()
  /**
   * Whether the snapshot contains all data of the A2A task. A snapshot from stream events may be
   * incomplete. If the stream was opened after the start of the task, artifacts may be missing. A
   * question in an event may also have another format than in the task.
   */
  #isComplete = false
  /**
   * Id of the question whose answer is being sent. null if no answer is being sent. Events may
   * still report this question as open.
   */
  #answered: string | null = null

  get snapshot(): TaskSnapshot {
    return this.#snapshot
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Replaces the snapshot with the complete A2A task that the server has returned. */
  replace(snapshot: TaskSnapshot): void {
    this.#snapshot = snapshot
    this.setComplete(true)
  }

  setComplete(isComplete: boolean): void {
    this.#isComplete = isComplete
    this.changes.notify()
  }

  /**
   * Applies a stream event or a response to the snapshot. Returns the text that the event adds to
   * an artifact, or an empty string.
   */
  apply(event: unknown): string {
    const applied = applyEvent(this.#snapshot, event)
    if (applied === null) return ""
    const { snapshot, text } = applied
    const isOld = isInterrupted(snapshot) && questionOf(snapshot).id === this.#answered
    this.#snapshot = isOld ? { ...snapshot, state: "working" } : snapshot
    this.setComplete(false)
    return text
  }

  /**
   * Records that the answer to the current question is being sent, and sets the state of the task
   * to `working`.
   */
  beginAnswer(): void {
    this.#answered = questionOf(this.#snapshot).id
    this.#snapshot = { ...this.#snapshot, state: "working" }
    this.setComplete(false)
  }

  endAnswer(): void {
    this.#answered = null
  }
}
