const markup = Symbol('markup')

/** Markup that needs no escaping. Only the template tag `html` creates it. */
export interface Html {
  readonly [markup]: string
}

/**
 * The values in a template. Markup stays unchanged, strings and numbers are escaped, and undefined and false are
 * omitted.
 */
type Filling = Html | string | number | undefined | false | readonly Html[]

/**
 * Returns a part of a page, in which all values are escaped. Values may appear in text and in double-quoted
 * attributes, but nowhere else.
 * @example
 * html`<p title="${name}">${text}</p>`
 */
export function html(parts: TemplateStringsArray, ...fillings: readonly Filling[]): Html {
  const text = parts.reduce((before, part, at) => `${before}${filled(fillings[at - 1])}${part}`)
  return { [markup]: text }
}

function filled(filling: Filling): string {
  if (filling === undefined || filling === false) return ''
  if (typeof filling === 'object')
    return Array.isArray(filling) ? filling.map(filled).join('') : (filling as Html)[markup]
  return String(filling).replaceAll(/[&<>"'`]/g, each => `&#${each.charCodeAt(0)};`)
}

/** Returns the markup of a whole page as a string. */
export function textOf(page: Html): string {
  return page[markup]
}
