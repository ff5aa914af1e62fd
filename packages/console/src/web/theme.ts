import { effect, signal } from '@preact/signals'

/** The user's choice of a theme, where `system` means the theme of the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const stored = 'signalbox-theme'

/** The chosen theme, which the browser stores. */
export const theme = signal<Theme>(read())

effect(() => {
  const chosen = theme.value
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  try {
    localStorage.setItem(stored, chosen)
  } catch {
    // The choice is lost after a reload if the browser blocks storage.
  }
})

function read(): Theme {
  try {
    const value = localStorage.getItem(stored)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    return 'system'
  }
}
