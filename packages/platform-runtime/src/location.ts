/** Where a box is, as resource names, addresses and events say it. */
export interface Location {
  readonly region: string
  /** Twelve digits. */
  readonly account: string
}

export const defaultLocation: Location = { region: 'local', account: '000000000000' }
