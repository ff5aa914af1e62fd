/** What every server answers. */
export const body: string = JSON.stringify({ orders: [{ id: 7, title: 'Signal lamp', amount: 2 }] })

export const contentType = 'application/json'
