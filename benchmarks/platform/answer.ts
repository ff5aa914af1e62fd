const order = { id: 7, title: 'Signal lamp', amount: 2 }

/** The bodies that every server sends, by path. */
const bodies = {
  '/': JSON.stringify({ orders: [order] }),
  '/kilobyte': JSON.stringify({ orders: Array.from({ length: 20 }, () => order) }).padEnd(1024),
  '/large': JSON.stringify({
    orders: Array.from({ length: 1850 }, (_, i) => ({ id: i, title: `Signal lamp ${i}`, amount: i % 7 })),
  }).padEnd(102_400),
} as const

export type Path = keyof typeof bodies

/** The paths that servers answer. */
export const paths = Object.keys(bodies) as readonly Path[]

/** Returns the body for a path. */
export function bodyAt(path: string): string {
  return bodies[path as Path]
}

export const contentType = 'application/json'
