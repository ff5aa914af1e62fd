/** What the platform concludes from a payload, for people and programs to read. */
export interface Verdict {
  readonly family: string
  /** Such as `accepted`, `partial`, `decided` or `malformed`. */
  readonly kind: string
  /** Whether the platform can go on with what the function answered. A trigger that denies is an answer too. */
  readonly ok: boolean
  readonly text: string
}
