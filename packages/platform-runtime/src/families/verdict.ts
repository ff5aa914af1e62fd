/** The platform's conclusion from a payload. */
export interface Verdict {
  readonly family: string
  /** The kind of the verdict, such as `accepted`, `partial`, `decided` or `malformed`. */
  readonly kind: string
  /** Whether the platform accepts the result. It also accepts the result of a trigger that denies a request. */
  readonly ok: boolean
  readonly text: string
}
