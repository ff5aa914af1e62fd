/** What the platform concludes from a payload. */
export interface Verdict {
  readonly family: string
  /** Such as `accepted`, `partial`, `decided` or `malformed`. */
  readonly kind: string
  /** Whether the platform accepts the result. A trigger that denies is accepted, too. */
  readonly ok: boolean
  readonly text: string
}
