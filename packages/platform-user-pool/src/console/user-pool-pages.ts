import type { ConsolePart } from '@signalbox/platform-runtime/console'

/** The page of user pools. */
export const userPoolPages = [
  {
    name: 'users',
    title: 'Users',
    sign: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.5-2.8 2.7-4 5.5-4s5 1.2 5.5 4',
  },
] as const satisfies ConsolePart['pages']
