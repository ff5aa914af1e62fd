/** What may stand in a text as it is: properties, quoted words, and the language's own words. */
const kept = /^(?:[."]|(?:function|return|typeof|void|if|for|var|Object|Array|true|false|null)$)/

/**
 * A short print of a function's text that bundlers and minifiers leave as it is: names, spaces, quotes and the
 * like are taken out of it first. Functions of the same print do the same with what their names stand for.
 */
export function fingerprint(code: string): string {
  let print = 5381
  for (const character of plain(code)) print = Math.imul(print, 33) ^ character.charCodeAt(0)
  return (print >>> 0).toString(36)
}

/** The text of a function with its names numbered in order, as if nobody had minified it, nor formatted it. */
export function plain(code: string): string {
  const names = new Map<string, string>()
  let count = 0
  let parameters = false
  return (
    code
      // `exports.string.is` is `string.is` where modules have been joined.
      .replace(/[\w$]+\.(?=[\w$]+\.is\b)/g, '')
      .replace(/['`]/g, '"')
      .replace(/!0/g, ' true')
      .replace(/!1/g, ' false')
      .replace(/\bundefined\b/g, 'void 0')
      .replace(/[."]?[a-z_$][\w$]*|\)/gi, word => {
        if (word === 'function' || word === ')') parameters = word !== ')'
        if (word === ')' || kept.test(word)) return word
        // Parameters of an inner function may have the name of something outside.
        if (parameters || !names.has(word)) names.set(word, `$${count++}`)
        return names.get(word)!
      })
      .replace(/\s/g, '')
      .replace(/;}/g, '}')
      .replace(/(typeof\$\d+=)==/g, '$1=')
      .replace(/("\w+"|null|void0)([!=]==?)((?:typeof)?\$\d+)/g, '$3$2$1')
  )
}
