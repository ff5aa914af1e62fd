/** Words up to this length stay in one line, but for names of packages, which begin large titles. */
const longest = 20

/**
 * Returns HTML in which long words may break where a reader expects it: after a dot, a slash, a colon, a hyphen or an
 * underscore, and before a capital. Without this, names in code make tables wider than the page, and headings break within a part of a name.
 *
 * @param html HTML of a text or of inline code.
 * @example
 * withBreaks('multiValueQueryStringParameters') // 'multi<wbr>Value<wbr>Query<wbr>String<wbr>Parameters'
 */
export function withBreaks(html: string): string {
  return html.replaceAll(/(?<![<&\w])[^\s<>&;]{2,}/g, word =>
    word.length <= longest && !word.startsWith('@')
      ? word
      : word.replaceAll(/(?<=[./_:-])(?=\w{2})|(?<=[a-z])(?=[A-Z][a-z])/g, '<wbr>'),
  )
}

/**
 * Returns HTML of inline code in which the hyphens of an option stay with its name. Browsers break after each hyphen.
 *
 * @param html What `withBreaks` returned.
 * @example
 * withWholeOptions('sam deploy --guided') // 'sam deploy <span class="option">--guided</span>'
 */
export function withWholeOptions(html: string): string {
  return html.replaceAll(/(?<!\S)--?\w[\w-]{0,18}(?![\w-])/g, '<span class="option">$&</span>')
}
