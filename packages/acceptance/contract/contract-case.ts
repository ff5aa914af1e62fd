/** A test case for one row of a contract page. It tests both the platform and functions that use the plugin. */
export interface ContractCase {
  /** The anchor of the row, such as `record.messageId`. */
  readonly row: string
  /**
   * A case of the kind `keeps` obeys the row and shows that its input is accepted. A case of the kind `breaks` violates
   * the row in one place, or exceeds its limit by one, and shows that the violation is detected.
   */
  readonly kind: 'keeps' | 'breaks'
  /** The description of the case. */
  readonly name: string
  /** Two checks: one for functions, and one for the platform. A check throws or rejects if the row does not hold. */
  readonly sides: Sides
}

export interface Sides {
  /** Tests a handler with the family's plugin, or an export of the family's contract. */
  readonly function: () => unknown
  /** Tests the platform with an event, or with a request, a mail or a message to its listeners. */
  readonly platform: () => unknown
}

export const keeps = (row: string, name: string, sides: Sides): ContractCase => ({
  row,
  kind: 'keeps',
  name,
  sides,
})

export const breaks = (row: string, name: string, sides: Sides): ContractCase => ({
  row,
  kind: 'breaks',
  name,
  sides,
})
