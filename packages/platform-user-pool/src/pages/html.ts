const markup = Symbol('markup')

/** Text that may stand in a page as it is. Only `html` makes it. */
export interface Html {
  readonly [markup]: string
}

/** What may be filled in: markup as it is, texts and numbers escaped, and nothing for undefined and false. */
type Filling = Html | string | number | undefined | false | readonly Html[]

/**
 * A part of a page. Everything that is filled in is escaped, for texts and for values of attributes in double quotes;
 * it must not be filled in anywhere else.
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

/** The text of a whole page. */
export function textOf(page: Html): string {
  return page[markup]
}
