/** What a macrostep sets off; carried out after it. */
export interface Effect {
  readonly id: string
  /** null: stop the child. */
  readonly start: Start | null
}

export interface Start {
  readonly src: string
  readonly input: unknown
  /** The static input of the state that invokes it; null for what an update started. */
  readonly invoked: Readonly<Record<string, unknown>> | null
}
