/**
 * The parts of the hosted pages that `SetUICustomization` can style, by the classes of the service. A class without a
 * selector stands for a part that the pages do not have.
 */
const parts: { readonly [part: string]: string | undefined } = {
  'background-customizable': 'body',
  'banner-customizable': 'header',
  'logo-customizable': undefined,
  'label-customizable': 'label',
  'textDescription-customizable': 'main p',
  'idpDescription-customizable': undefined,
  'legalText-customizable': 'main .terms',
  'errorMessage-customizable': 'main .wrong',
  'inputField-customizable': 'input:not([type=checkbox])',
  'inputField-customizable:focus': 'input:not([type=checkbox]):focus',
  'submitButton-customizable': 'button:not(.second)',
  'submitButton-customizable:hover': 'button:not(.second):hover',
  'idpButton-customizable': 'a.second',
  'idpButton-customizable:hover': 'a.second:hover',
  'socialButton-customizable': undefined,
  'redirect-customizable': 'nav a',
  'passwordCheck-notValid-customizable': undefined,
  'passwordCheck-valid-customizable': undefined,
}

const color = String.raw`(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|[a-z]{3,20}|(?:rgb|hsl)a?\([\d.,%/ ]{1,40}\))`

/** The properties that have an effect, with the values that they can have. */
const values: { readonly [property: string]: RegExp } = {
  color: new RegExp(`^${color}$`, 'i'),
  background: new RegExp(`^${color}$`, 'i'),
  'background-color': new RegExp(`^${color}$`, 'i'),
  'border-color': new RegExp(`^${color}$`, 'i'),
  border: new RegExp(String.raw`^(?:0|none|\d{1,2}px (?:solid|dashed|dotted) ${color})$`, 'i'),
  'border-radius': /^\d{1,3}(?:\.\d{1,2})?(?:px|r?em|%)?$/,
  'font-weight': /^(?:normal|bold|[1-9]00)$/,
}

/** The properties of sizes and places, which the pages keep, so that they fit on each screen. */
const ignored =
  /^(?:(?:min-|max-)?(?:width|height)|(?:margin|padding)(?:-[a-z]+)?|font-size|font-family|line-height|text-align|display|float|outline|box-shadow|border-(?:top|right|bottom|left|width|style)|opacity|text-decoration|letter-spacing|vertical-align|position|white-space|overflow)$/

/** CSS of others, as the pages use it. */
export interface CustomCss {
  /** Rules made of the accepted values only. Empty without any. */
  readonly rules: string
  /** What cannot be accepted. */
  readonly problem: string | undefined
}

/**
 * Reads the CSS of `SetUICustomization`. The rules are written anew, from selectors of the pages and values that match, so
 * that nothing else of the text comes to a page.
 */
export function customCss(css: string): CustomCss {
  const rules = new Map<string, Map<string, string>>()
  const refused = (problem: string): CustomCss => ({ rules: '', problem })
  const text = withoutComments(css)
  const blocks = /([^{}]*)\{([^{}]*)\}/gy
  let end = 0
  for (const [whole, selectors = '', declarations = ''] of text.matchAll(blocks)) {
    end += whole.length
    const declared = new Map<string, string>()
    for (const declaration of declarations.split(';')) {
      if (declaration.trim() === '') continue
      const [name = '', ...rest] = declaration.split(':')
      const property = name.trim().toLowerCase()
      if (ignored.test(property)) continue
      if (!Object.hasOwn(values, property))
        return refused(
          `${shown(declaration)} has no effect on the pages. These have: ${Object.keys(values).join(', ')}`,
        )
      const value = rest.join(':').trim().replaceAll(/\s+/g, ' ')
      const plain = value.replace(/ ?!important$/i, '')
      if (!values[property]!.test(plain))
        return refused(`${shown(declaration)} has a value that cannot be used`)
      // A color alone is all of a background that is accepted.
      setLast(declared, property === 'background' ? 'background-color' : property, plain)
    }
    for (const selector of selectors.split(',')) {
      const part = selector.trim().replace(/^\./, '')
      if (!selector.trim().startsWith('.') || !Object.hasOwn(parts, part))
        return refused(`the selector ${shown(selector)} is not one of .${Object.keys(parts).join(', .')}`)
      const ours = parts[part]
      if (ours === undefined) continue
      const own = rules.get(ours) ?? new Map<string, string>()
      for (const [property, value] of declared) setLast(own, property, value)
      rules.set(ours, own)
    }
  }
  if (text.slice(end).trim() !== '') return refused(`${shown(text.slice(end))} is not a rule`)
  return { rules: written(rules), problem: undefined }
}

/** Sets a property after all others, since `border` replaces a `border-color` before it, and not one after it. */
function setLast(properties: Map<string, string>, property: string, value: string): void {
  properties.delete(property)
  properties.set(property, value)
}

/** Removes comments. A `/*` within a comment begins none. */
function withoutComments(css: string): string {
  const [first = '', ...others] = css.split('/*')
  const rests = others.map(each => each.split('*/').slice(1).join('*/'))
  return [first, ...rests].join(' ')
}

function written(rules: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const all = [...rules].filter(([, properties]) => properties.size > 0)
  if (all.length === 0) return ''
  const lines = all.map(
    ([selector, properties]) =>
      `${selector} { ${[...properties].map(([property, value]) => `${property}: ${value};`).join(' ')} }`,
  )
  // The colors are made for light pages, as those of the service are.
  return [':root { color-scheme: light; }', ...lines].join('\n')
}

function shown(text: string): string {
  return JSON.stringify(text.trim().slice(0, 60))
}
