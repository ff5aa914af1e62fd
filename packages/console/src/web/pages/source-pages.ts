import { effect, signal } from '@preact/signals'
import type { ConsolePage } from '@signalbox/platform-runtime/console'
import { api, ask, hasSession } from '../api/api.ts'

/** The pages of sources. Undefined until the API has answered. */
export const sourcePages = signal<readonly ConsolePage[] | undefined>(undefined)

effect(() => {
  if (hasSession.value !== true) return
  ask(api.get('/pages'))
    .then(pages => {
      sourcePages.value = pages
    })
    .catch(() => {
      // The other pages still work, and say what is wrong.
      sourcePages.value = []
    })
})
