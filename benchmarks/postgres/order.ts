/** The body of each message: one kilobyte of JSON. */
export interface Order {
  readonly order: number
  readonly country: string
  readonly note: string
}

const note = 'Leave it at the door. '.repeat(44)

export function order(number: number): Order {
  return { order: number, country: 'DE', note }
}
