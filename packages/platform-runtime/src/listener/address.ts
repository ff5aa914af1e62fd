/** The address where a source receives events. */
export interface Address {
  readonly source: string
  readonly url: string
}
