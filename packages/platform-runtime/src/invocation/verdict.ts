/** The platform's conclusion from a payload. */
export interface Verdict {
  readonly family: string
  /** The kind, such as `accepted`, `partial`, `decided` or `malformed`. */
  readonly kind: string
  /** Whether the platform accepts the result. A trigger that denies is accepted, too. */
  readonly ok: boolean
  readonly text: string
}
