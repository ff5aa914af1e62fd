/** The body that every server sends. */
export const body: string = JSON.stringify({ orders: [{ id: 7, title: 'Signal lamp', amount: 2 }] })

/** The body that every server sends at `largePath`: 100 KB. */
export const largeBody: string = JSON.stringify({
  orders: Array.from({ length: 1850 }, (_, i) => ({ id: i, title: `Signal lamp ${i}`, amount: i % 7 })),
}).padEnd(102_400)

export const largePath = '/large'

export const contentType = 'application/json'
