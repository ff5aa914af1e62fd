/** The words that keep their spelling: properties, quoted words and keywords. */
const kept = /^(?:[."]|(?:function|return|typeof|void|if|for|var|Object|Array|true|false|null)$)/

/**
 * Returns a fingerprint of a function's text that does not change when a bundler or a minifier rewrites names, spaces
 * or quotes. Two functions with the same fingerprint differ only in names, spaces and quotes. See
 * docs/decisions/codecs-and-guards.md#io-ts-is-recognized-by-fingerprints.
 */
export function fingerprint(code: string): string {
  let print = 5381
  for (const character of plain(code)) print = Math.imul(print, 33) ^ character.charCodeAt(0)
  return (print >>> 0).toString(36)
}

/** Returns a function's source text with numbered names and without formatting. */
export function plain(code: string): string {
  const names = new Map<string, string>()
  let count = 0
  let parameters = false
  return (
    code
      // Bundlers shorten `exports.string.is` to `string.is`.
      .replace(/[\w$]+\.(?=[\w$]+\.is\b)/g, '')
      .replace(/['`]/g, '"')
      .replace(/!0/g, ' true')
      .replace(/!1/g, ' false')
      .replace(/\bundefined\b/g, 'void 0')
      .replace(/[."]?[a-z_$][\w$]*|\)/gi, word => {
        if (word === 'function' || word === ')') parameters = word !== ')'
        if (word === ')' || kept.test(word)) return word
        // A parameter of an inner function may have the same name as an outer variable.
        if (parameters || !names.has(word)) names.set(word, `$${count++}`)
        return names.get(word)!
      })
      .replace(/\s/g, '')
      .replace(/;}/g, '}')
      .replace(/(typeof\$\d+=)==/g, '$1=')
      .replace(/("\w+"|null|void0)([!=]==?)((?:typeof)?\$\d+)/g, '$3$2$1')
  )
}
