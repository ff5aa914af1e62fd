import type { SourceModule } from '@signalbox/platform-runtime'

/** User-pool triggers: their events and verdicts. No source of the platform calls them. */
export const userPoolModule: SourceModule = {
  config: {
    name: 'user-pool',
    fields: {},
    problems: () => [],
    listeners: () => [],
    settings: () => undefined,
  },
  family: async () => (await import('./trigger-family.ts')).triggerFamily,
  commands: [],
  open: () => ({ sources: [], access: {} }),
}
