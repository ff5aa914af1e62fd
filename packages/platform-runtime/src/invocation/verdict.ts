/** The platform's conclusion from a payload. */
export interface Verdict {
  readonly family: string
  /** The kind of the verdict, such as `accepted`, `partial`, `decided` or `malformed`. */
  readonly kind: string
  /**
   * Whether the platform accepts the result. The result of a trigger that denies a request is accepted, too.
   */
  readonly ok: boolean
  readonly text: string
}
