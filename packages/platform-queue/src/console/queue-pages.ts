import type { ConsolePart } from '@signalbox/platform-runtime/console'

/** The page of queues. */
export const queuePages = [
  {
    name: 'queues',
    title: 'Queues',
    wrong: 'Dead letters',
    sign: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
  },
] as const satisfies ConsolePart['pages']
