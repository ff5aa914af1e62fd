import { effect, signal } from '@preact/signals'

/** What the user chose: a theme, or that of the system. */
export type Theme = 'system' | 'light' | 'dark'

const stored = 'signalbox-theme'

/** The chosen theme. The browser keeps it. */
export const theme = signal<Theme>(read())

effect(() => {
  const chosen = theme.value
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  try {
    localStorage.setItem(stored, chosen)
  } catch {
    // A browser that keeps nothing forgets the choice.
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
