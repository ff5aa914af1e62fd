import { signal } from '@preact/signals'

/**
 * The current time in milliseconds since the epoch. It is updated every few seconds while the page is visible.
 */
export const now = signal(Date.now())

setInterval(() => {
  if (!document.hidden) now.value = Date.now()
}, 5000)

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now()
})
