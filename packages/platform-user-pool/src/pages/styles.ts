import { createHash } from 'node:crypto'
import type { PagesSettings } from '../config/pages-config.ts'

/** The styles of all pages. The contrast to the background is at least 4.5 for text and at least 3 for borders. */
const styles = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e8eaed);
  --soft: light-dark(#4b5563, #b4bac2);
  --ground: light-dark(#eef1f5, #101316);
  --card: light-dark(#ffffff, #1a1e22);
  --line: light-dark(#6b7280, #8b929b);
  --accent: light-dark(#0b57d0, #a8c7fa);
  --on-accent: light-dark(#ffffff, #062e6f);
  --wrong: light-dark(#b3261e, #f2b8b5);
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
}
main { width: 100%; max-width: 24rem; background: var(--card); border-radius: .75rem; padding: 1.5rem; overflow-wrap: anywhere; }
header { display: flex; align-items: center; gap: .75rem; margin: 0 0 1rem; font-weight: 600; }
header img { max-width: 8rem; max-height: 3rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; line-height: 1.25; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 1rem; }
ol { margin: 0 0 1rem; padding-inline-start: 1.5rem; }
form { margin: 0 0 1rem; }
label, legend { display: block; font-weight: 600; margin: 0 0 .25rem; padding: 0; }
fieldset { border: 0; margin: 0; padding: 0; }
input {
  display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; margin: 0 0 1rem; font: inherit;
  color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem;
}
input[type=checkbox] { flex: none; width: 1.5rem; min-height: 1.5rem; margin: 0; accent-color: var(--accent); }
.choice { display: flex; gap: .5rem; font-weight: 400; margin: 0 0 1rem; }
input[aria-invalid] { border-color: var(--wrong); border-width: 2px; }
.hint { color: var(--soft); margin: -.75rem 0 1rem; font-size: .875rem; }
.wrong { color: var(--wrong); border-inline-start: 4px solid; padding-inline-start: .75rem; }
.notice { border-inline-start: 4px solid var(--accent); padding-inline-start: .75rem; }
.or { color: var(--soft); text-align: center; }
.secret { font-family: ui-monospace, monospace; font-size: 1.125rem; }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; margin: 0 0 .75rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; border-radius: .375rem;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent);
}
.second { color: var(--accent); background: transparent; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
nav a { padding: .25rem 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none; }
`

/** The styles of a page, and the source expression that allows them in a Content-Security-Policy. */
export interface Styles {
  readonly text: string
  readonly source: string
}

const known = new WeakMap<PagesSettings, Styles>()

/** Returns the styles of pages with this look. */
export function stylesOf(look: PagesSettings): Styles {
  const found = known.get(look)
  if (found !== undefined) return found
  const { color = '#0b57d0', darkColor = '#a8c7fa', css = '' } = look
  // The colors have been checked: six hexadecimal digits each, which no other style can begin in.
  const own = `:root { --accent: light-dark(${color}, ${darkColor}); --on-accent: light-dark(#ffffff, #101316); }`
  const colored = look.color === undefined && look.darkColor === undefined ? styles : `${styles}${own}\n`
  const text = `${colored}${css}`
  const made = { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
  known.set(look, made)
  return made
}
